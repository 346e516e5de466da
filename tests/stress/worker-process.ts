/** A Worker in a process of its own, so that it can be killed: its first message configures it. */
import { readFileSync } from 'node:fs'
import { startWorker } from '../../dev/worker'

process.once('message', (options: { port: number; vars: Record<string, string>; script?: string }) => {
  void startWorker({ ...options, quiet: true }).then(() => process.send?.(workerds()))
})

// The parent process has exited: workerd must exit as well.
process.once('disconnect', () => process.exit())

function workerds(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number)
  return children.filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('workerd'))
}
