import type { Readable } from 'node:stream'
import { freePort } from '../../dev/ports'
import { startWorker, type RunningWorker } from '../../dev/worker'
import { ServerStarter } from './server-starter'

/** The built Worker in workerd, shared by the files that one process tests, because starting it takes more CPU than most tests. */
export class Host {
  readonly log: string[] = []
  /** The bindings of pictures of the Workers. `none` is for those that start later. */
  pictures: 'none' | 'fail' | 'work' = 'work'
  readonly starter = new ServerStarter()
  private readonly workers = new Map<string, Promise<RunningWorker>>()
  private readonly sharedOrigins = new Map<string, string>()

  private constructor(readonly ports: { worker: number; database: number; sandbox: number }) {}

  static async open(): Promise<Host> {
    const [worker, database, sandbox] = [await freePort(), await freePort(), await freePort()]
    return new Host({ worker, database, sandbox })
  }

  get origin(): string {
    return `http://127.0.0.1:${this.ports.worker}`
  }

  worker(vars: Record<string, string>): Promise<RunningWorker> {
    const origin = vars.SHOP_ORIGIN!
    const running = this.workers.get(origin)
    if (running) return running
    const worker = startWorker({
      port: Number(new URL(origin).port),
      vars,
      pictures: () => this.pictures,
      stdio: (...streams) => streams.forEach(this.listen),
    })
    this.workers.set(origin, worker)
    return worker
  }

  /** For another Worker with these variables, which the tests of a file share. */
  async sharedOrigin(vars: Record<string, string>): Promise<string> {
    const key = JSON.stringify(vars)
    const origin = this.sharedOrigins.get(key) ?? `http://127.0.0.1:${await freePort()}`
    this.sharedOrigins.set(key, origin)
    return origin
  }

  /** Leaves only the Worker of `origin`, with no picture and an empty log. */
  async reset(): Promise<void> {
    this.pictures = 'work'
    this.log.length = 0
    this.sharedOrigins.clear()
    for (const [origin, worker] of this.workers) {
      if (origin === this.origin) {
        await (await worker).deletePictures()
      } else {
        this.workers.delete(origin)
        await (await worker).stop()
      }
    }
  }

  async close(): Promise<void> {
    for (const worker of this.workers.values()) await (await worker).stop()
    this.starter.stop()
  }

  private readonly listen = (stream: Readable) => {
    let rest = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      this.log.push(...lines)
    })
  }
}
