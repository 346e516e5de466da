import { fork } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { fileURLToPath } from 'node:url'
import { lastOf, serverEnv, type ServerProcess, type StartServer } from '../../dev/server-process'

interface News {
  id: number
  pid?: number
  stderr?: string
  hasEnded?: true
}

/** A small process that starts the servers of tests: see `start-servers.mjs`. */
export class ServerStarter {
  private readonly child = fork(fileURLToPath(new URL('start-servers.mjs', import.meta.url)), { execArgv: [] })
  private readonly listeners = new Map<number, (news: News) => void>()
  private started = 0

  constructor() {
    this.child.on('message', (news: News) => this.listeners.get(news.id)?.(news))
    // Its servers have ended with it, and nobody else says so.
    this.child.once('exit', () => {
      for (const [id, listen] of this.listeners) listen({ id, hasEnded: true })
    })
  }

  readonly start: StartServer = (program, args) => {
    if (!this.child.connected) return Promise.reject(new Error('The process that starts servers has ended.'))
    const id = this.started++
    let [stderr, hasEnded] = ['', false]
    return new Promise<ServerProcess>((resolve) => {
      const ended = new Promise<void>((end) =>
        this.listeners.set(id, (news) => {
          if (news.stderr) stderr = lastOf(stderr + news.stderr)
          if (news.hasEnded) {
            hasEnded = true
            this.listeners.delete(id)
            end()
          }
          // Without effect but for the first, of a start or of one that failed.
          resolve({ ...server, pid: news.pid })
        }),
      )
      const server = {
        ended,
        hasEnded: () => hasEnded,
        stderr: () => stderr,
        kill: (signal: NodeJS.Signals) => void (hasEnded || this.child.send({ id, signal })),
      }
      // As `spawn` does, for the table of what was started.
      channel('child_process').publish({ process: { spawnfile: program } })
      this.child.send({ id, start: { program, args, env: serverEnv({}) } })
    })
  }

  /** Its servers end too. */
  stop(): void {
    this.child.disconnect()
  }
}
