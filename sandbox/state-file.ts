import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface StateFile {
  /** Its changes are in the file after the next `write`. */
  map<V>(name: string): Map<string, V>
  /** Call it before anybody hears of a change: a process that is killed then forgets nothing. */
  write(): void
}

/** One change: a value, without it a key that was deleted, without that a map that was cleared. */
type Change = [map: string, key?: string, value?: unknown]
type Maps = Map<string, Map<string, unknown>>

/** Lines of JSON, each with what changed between two writes. Opening compacts them. Without a file nothing is stored. */
export function openStateFile(file: string | undefined, log: (line: string) => void): StateFile {
  if (!file) return { map: <V>() => new Map<string, V>(), write: () => undefined }
  const saved = read(file, log)
  const changes = [...saved].flatMap(([name, map]) => [...map].map(([key, value]): Change => [name, key, value]))
  // Rename is atomic: nobody finds half a file.
  writeFileSync(`${file}.new`, changes.map((change) => lineOf([change])).join(''))
  renameSync(`${file}.new`, file)
  let pending: Change[] = []

  function write() {
    if (pending.length === 0) return
    try {
      appendFileSync(file!, lineOf(pending))
    } catch (error) {
      log(`sandbox: cannot write the state file ${file}: ${String(error)}`)
    }
    pending = []
  }

  return {
    map: <V>(name: string) =>
      new RecordedMap<V>([...((saved.get(name) ?? []) as Map<string, V>)], (...change) =>
        pending.push([name, ...change]),
      ),
    write,
  }
}

class RecordedMap<V> extends Map<string, V> {
  private readonly record: ((key?: string, value?: V) => void) | undefined

  constructor(entries: [string, V][], record: (key?: string, value?: V) => void) {
    super(entries)
    this.record = record
  }

  override set(key: string, value: V): this {
    this.record?.(key, value)
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    this.record?.(key)
    return super.delete(key)
  }

  override clear(): void {
    this.record?.()
    super.clear()
  }
}

/** It begins with a line break: after a line that was cut off the next one is whole. */
const lineOf = (changes: Change[]) => `\n${JSON.stringify(changes)}`

function read(file: string, log: (line: string) => void): Maps {
  const maps: Maps = new Map()
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return maps
    throw error
  }
  for (const line of text.split('\n').filter(Boolean)) {
    try {
      for (const change of JSON.parse(line) as Change[]) apply(maps, change)
    } catch {
      log(`sandbox: a line of the state file ${file} is unreadable and left out.`)
    }
  }
  return maps
}

function apply(maps: Maps, [name, ...change]: Change): void {
  const map = maps.get(name) ?? new Map<string, unknown>()
  maps.set(name, map)
  const [key, value] = change
  if (key === undefined) map.clear()
  else if (change.length === 1) map.delete(key)
  else map.set(key, value)
}
