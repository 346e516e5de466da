import { EventEmitter } from 'node:events'
import { ThreadsPoolWorker, type PoolRunnerInitializer, type WorkerRequest } from 'vitest/node'

/**
 * Vitest starts a thread for every run, and Stryker runs it once a mutant: loading the packages again takes longer than the tests.
 * This thread stays. Vitest is told that it started and stopped, and its settings (which tests) go to the thread with every run.
 */
class LastingThread extends ThreadsPoolWorker {
  override readonly name = 'lasting-thread'
  private readonly events = new EventEmitter()
  private started = false
  private settings: object = {}

  override on(event: string, callback: (arg: unknown) => void): void {
    this.events.on(event, callback)
  }

  override off(event: string, callback: (arg: unknown) => void): void {
    this.events.off(event, callback)
  }

  override async start(): Promise<void> {
    if (this.started) return
    await super.start()
    for (const event of ['message', 'error', 'exit']) super.on(event, (arg: unknown) => this.events.emit(event, arg))
  }

  override stop(): Promise<void> {
    this.events.removeAllListeners()
    return Promise.resolve()
  }

  override send(message: WorkerRequest): void {
    if (message.type === 'start') this.settings = { config: message.context.config }
    if (message.type === 'stop') this.answer('stopped')
    else if (message.type === 'start' && this.started) this.answer('started')
    else if (message.type === 'run') super.send({ ...message, context: { ...message.context, ...this.settings } })
    else super.send(message)
    this.started = true
  }

  private answer(type: 'started' | 'stopped'): void {
    this.events.emit('message', { __vitest_worker_response__: true, type })
  }
}

let thread: LastingThread | undefined

export const lastingThread: PoolRunnerInitializer = {
  name: 'lasting-thread',
  createPoolWorker: (options) => (thread ??= new LastingThread(options)),
}
