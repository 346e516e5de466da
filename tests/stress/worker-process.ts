/* A Worker in a process of its own, so that it can be killed: told what it is by its first message, it answers with pids. */
import { readFileSync } from 'node:fs'
import { startWorker } from '../../dev/worker'

process.once('message', (options: { port: number; vars: Record<string, string>; script?: string }) => {
  void startWorker({ ...options, quiet: true }).then(() => process.send?.(workerds()))
})

// Whoever started this one is gone: it takes its workerd along.
process.once('disconnect', () => process.exit())

/** The ids of the workerd processes that this one has started (Linux). */
function workerds(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number)
  return children.filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('workerd'))
}
