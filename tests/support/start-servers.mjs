import { spawn } from 'node:child_process'
import process from 'node:process'

/*
 * Starts and stops servers for the process of the tests. That one is large: a `fork` copies its page tables, and each page that it
 * writes to after it costs a fault, tens of milliseconds together. They end when that process ends, whatever it died of.
 */
/** @type {Map<number, import('node:child_process').ChildProcess>} */
const children = new Map()

/** @param {object} news */
const tell = (news) => process.connected && process.send?.(news)

/** @typedef {{ id: number, start: { program: string, args: string[], env: Record<string, string> } }} Start */
/** @typedef {{ id: number, signal: NodeJS.Signals }} Kill */
process.on('message', (/** @type {Start | Kill} */ message) => {
  const { id } = message
  if ('signal' in message) {
    children.get(id)?.kill(message.signal)
    return
  }
  const { program, args, env } = message.start
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
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
