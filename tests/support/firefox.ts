import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../dev/ports'

type Reply = (error: { error: string; message: string } | null, value: unknown) => void

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/** WebDriver names no other for a place within a page. */
interface Found {
  [elementKey]: string
}

/**
 * Firefox without a window, driven by its Marionette: the WebDriver commands that geckodriver passes on, as JSON over TCP. That needs no package,
 * and works with the page's scripts off.
 */
export class Firefox {
  private received = Buffer.alloc(0)
  private readonly replies = new Map<number, Reply>()
  private sent = 0

  private constructor(
    private readonly process: ChildProcess,
    private readonly profile: string,
    private readonly socket: Socket,
  ) {
    socket.on('data', (data) => this.read(data))
  }

  static async start(executable: string, { scripts }: { scripts: boolean }): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), 'cadenza-firefox-'))
    const port = await freePort()
    const preferences = {
      'marionette.port': port,
      'javascript.enabled': scripts,
      'toolkit.cosmeticAnimations.enabled': false,
      'ui.prefersReducedMotion': 1,
    }
    const lines = Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});`)
    writeFileSync(join(profile, 'user.js'), lines.join('\n'))
    const child = spawn(executable, ['--marionette', '--headless', '--no-remote', '--profile', profile], {
      stdio: ['ignore', 'pipe', 'ignore'],
      // A home of its own: Firefox refuses one that belongs to another user.
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    })
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text: Buffer) => String(text).includes('Listening on port') && resolve())
      child.once('error', reject)
      child.once('exit', () => reject(new Error(`${executable} has ended by itself.`)))
    })
    const socket = connect(port, '127.0.0.1')
    const firefox = new Firefox(child, profile, socket)
    await firefox.send('WebDriver:NewSession', {})
    await firefox.send('WebDriver:SetTimeouts', { implicit: 30_000, pageLoad: 120_000 })
    return firefox
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve))
    this.process.kill('SIGKILL')
    await ended
    this.socket.destroy()
    rmSync(this.profile, { recursive: true, force: true })
  }

  async open(url: string): Promise<void> {
    await this.send('WebDriver:Navigate', { url })
  }

  back(): Promise<unknown> {
    return this.send('WebDriver:Back', {})
  }

  url(): Promise<string> {
    return this.valueOf('WebDriver:GetCurrentURL')
  }

  title(): Promise<string> {
    return this.valueOf('WebDriver:GetTitle')
  }

  /** Runs beside the page's scripts, also where these are off. */
  run<T>(script: string): Promise<T> {
    return this.valueOf('WebDriver:ExecuteScript', { script, args: [], sandbox: 'own' })
  }

  text(): Promise<string> {
    return this.run('return document.body.innerText')
  }

  /** Presses a button, or a link of the page itself, by its words; within `row` of a table. */
  async press(words: string, row?: string): Promise<void> {
    const of = row === undefined ? '' : `//tr[contains(., ${JSON.stringify(row)})]`
    const named = `normalize-space()=${JSON.stringify(words)}`
    const id = await this.find(`${of}//button[${named}]|${of}//main//a[${named}]`)
    await this.send('WebDriver:ElementClick', { id })
  }

  /** By labels. */
  async type(fields: Record<string, string>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) {
      const id = await this.find(
        `//*[@id=//label[starts-with(normalize-space(), ${JSON.stringify(label)})]/@for]|//label[starts-with(normalize-space(), ${JSON.stringify(label)})]//input`,
      )
      await this.send('WebDriver:ElementClear', { id })
      await this.send('WebDriver:ElementSendKeys', { id, text })
    }
  }

  /** Types in the first frame of the page. Throws as long as it is not shown. */
  async typeInFrame(fields: Record<string, string>): Promise<void> {
    await this.send('WebDriver:SwitchToFrame', { id: null })
    await this.run(`document.querySelector('iframe[title]')?.scrollIntoView({ block: 'center', behavior: 'instant' })`)
    await this.send('WebDriver:SwitchToFrame', { id: null, element: await this.find('//iframe[@title]') })
    await this.type(fields)
    await this.send('WebDriver:SwitchToFrame', { id: null })
  }

  private async find(xpath: string): Promise<string> {
    const found = await this.valueOf<Found>('WebDriver:FindElement', { using: 'xpath', value: xpath })
    return found[elementKey]
  }

  private async valueOf<T>(name: string, parameters: object = {}): Promise<T> {
    return ((await this.send(name, parameters)) as { value: T }).value
  }

  private send(name: string, parameters: object): Promise<unknown> {
    const id = ++this.sent
    const message = JSON.stringify([0, id, name, parameters])
    return new Promise((resolve, reject) => {
      this.replies.set(id, (error, value) =>
        error === null ? resolve(value) : reject(new Error(`${name}: ${error.error}, ${error.message}`)),
      )
      this.socket.write(`${Buffer.byteLength(message)}:${message}`)
    })
  }

  /** Each message has its length before it. */
  private read(data: Buffer): void {
    this.received = Buffer.concat([this.received, data])
    for (;;) {
      const colon = this.received.indexOf(':')
      const end = colon + 1 + Number(this.received.subarray(0, Math.max(colon, 0)))
      if (colon < 0 || this.received.length < end) return
      const message = JSON.parse(String(this.received.subarray(colon + 1, end))) as unknown
      this.received = this.received.subarray(end)
      // The first one is a greeting.
      if (!Array.isArray(message)) continue
      const [, id, error, value] = message as [number, number, Parameters<Reply>[0], unknown]
      this.replies.get(id)?.(error, value)
      this.replies.delete(id)
    }
  }
}
