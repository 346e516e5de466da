import { readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface StateFile {
  read(name: string): unknown
  register(name: string, snapshot: () => unknown): void
  scheduleWrite(): void
  /** Writes pending changes; later changes are lost. */
  close(): void
}

export function openStateFile(file: string | undefined, log: (line: string) => void): StateFile {
  const saved = file ? read(file, log) : {}
  const snapshots = new Map<string, () => unknown>()
  let timer: NodeJS.Timeout | undefined
  let lastWriteMs = 0
  let closed = false

  function write() {
    clearTimeout(timer)
    timer = undefined
    if (!file) return
    const startedAt = Date.now()
    const all = { ...saved, ...Object.fromEntries([...snapshots].map(([name, snapshot]) => [name, snapshot()])) }
    // Rename is atomic: readers never see half a file.
    writeFileSync(`${file}.new`, JSON.stringify(all))
    renameSync(`${file}.new`, file)
    lastWriteMs = Date.now() - startedAt
  }

  function tryWrite() {
    try {
      write()
    } catch (error) {
      log(`sandbox: cannot write the state file ${file}: ${String(error)}`)
    }
  }

  return {
    read: (name) => saved[name],
    register: (name, snapshot) => snapshots.set(name, snapshot),
    scheduleWrite() {
      // Large files take long to write: writing gets at most a tenth of the time.
      if (file && !closed) timer ??= setTimeout(tryWrite, Math.max(100, 10 * lastWriteMs))
    },
    close() {
      closed = true
      if (timer) write()
    },
  }
}

function read(file: string, log: (line: string) => void): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    renameSync(file, `${file}.unreadable`)
    log(`sandbox: the state file ${file} is unreadable. It was renamed, and the sandbox starts empty.`)
    return {}
  }
}
