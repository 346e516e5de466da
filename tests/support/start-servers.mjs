import { spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/*
 * Starts and stops servers for the process of the tests. That one is large: a `fork` copies its page tables, and each page that it
 * writes to after it costs a fault, tens of milliseconds together.
 */
const file = fileURLToPath(new URL('../../dev/end-with-parent.sh', import.meta.url))
/** @type {Map<number, import('node:child_process').ChildProcess>} */
const children = new Map()

/** @param {object} news */
const tell = (news) => process.connected && process.send?.(news)

/** @typedef {{ id: number, start: { args: string[], env: Record<string, string> } }} Start */
/** @typedef {{ id: number, signal: NodeJS.Signals }} Kill */
process.on('message', (/** @type {Start | Kill} */ message) => {
  const { id } = message
  if ('signal' in message) {
    children.get(id)?.kill(message.signal)
    return
  }
  const env = { ...message.start.env, CADENZA_PARENT: String(process.pid) }
  const child = spawn(file, message.start.args, { stdio: ['ignore', 'ignore', 'pipe'], env })
  children.set(id, child)
  tell({ id, pid: child.pid })
  child.stderr.on('data', (/** @type {Buffer} */ chunk) => tell({ id, stderr: chunk.toString() }))
  const end = () => {
    children.delete(id)
    tell({ id, hasEnded: true })
  }
  child.once('exit', end).once('error', end)
})

process.once('disconnect', () => {
  for (const child of children.values()) child.kill('SIGKILL')
})
