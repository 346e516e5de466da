import { spawn } from 'node:child_process'
import { endWithParent } from './end-with-parent'

export interface ServerProcess {
  /** None when it did not start. */
  pid: number | undefined
  /** Also when it did not start. */
  ended: Promise<void>
  hasEnded(): boolean
  /** The last of it. */
  stderr(): string
  /** Nothing when it has ended. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
}

export type StartServer = (program: string, args: string[]) => Promise<ServerProcess>

/** Starts a program that ends with this process. */
export const startServer: StartServer = (program, args) => {
  const { file, env } = endWithParent(program)
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], env: serverEnv(env) })
  let [hasEnded, stderr] = [false, '']
  child.stderr.on('data', (chunk: Buffer) => (stderr = lastOf(stderr + chunk.toString())))
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true
      resolve()
    }
    child.once('exit', end).once('error', end)
  })
  return Promise.resolve({
    pid: child.pid,
    ended,
    hasEnded: () => hasEnded,
    stderr: () => stderr,
    kill: (signal) => void (hasEnded || child.kill(signal)),
  })
}

export const serverEnv = (env: Record<string, string>) => ({ PATH: process.env.PATH, RUST_LOG: 'error', ...env })

export const lastOf = (stderr: string) => stderr.slice(-2000)
