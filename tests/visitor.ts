import { parse, type HTMLElement } from 'node-html-parser'
import worker from '../server'
import { holdToContract } from './contract'

export interface Answer {
  status: number
  /** Path and query of the page that was reached in the end. */
  path: string
  /** Where an answer that leads to another site leads to. */
  location: string | null
  headers: Headers
  html: string
  page: HTMLElement
  /** What a reader sees. */
  text: string
}

/** A browser without JavaScript at the shop's front door: it keeps cookies, follows redirects and fills in forms. */
export class Visitor {
  private readonly cookies = new Map<string, string>()
  private readonly vars: Record<string, string>
  private readonly tasks: Promise<unknown>[] = []

  constructor(vars: Record<string, string>) {
    this.vars = vars
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.follow(path, { headers })
  }

  /** Posts fields as a form without looking at a page first, as a hand-made request does. */
  post(path: string, fields: Record<string, string> | FormData, headers: Record<string, string> = {}): Promise<Answer> {
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields)
    return this.follow(path, { method: 'POST', body, headers: { origin: this.origin, ...headers } })
  }

  /** Presses the first button with this text in a form of the page, or of the row with another text, with what the form holds and what was typed into it. */
  press(answer: Answer, button: string, typed: Record<string, string> = {}, row = ''): Promise<Answer> {
    const form = answer.page
      .querySelectorAll('form')
      .find((each) => each.querySelectorAll('button').some(named(button)) && isInRow(each, row))
    if (!form) throw new Error(`No form with the button "${button}" in:\n${answer.text}`)
    const path = form.getAttribute('action') ?? answer.path
    const fields = { ...valuesOf(form), ...typed }
    if (form.getAttribute('method') === 'post') return this.post(path, fields)
    return this.get(`${path.split('?')[0]}?${new URLSearchParams(fields).toString()}`)
  }

  async signIn({ email, password }: { email: string; password: string }): Promise<this> {
    const answer = await this.press(await this.get('/login'), 'Login', { email, password })
    if (!answer.path.startsWith('/dashboard')) throw new Error(`Signing in failed:\n${answer.text}`)
    return this
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name)
  }

  setCookie(name: string, value: string): void {
    this.cookies.set(name, value)
  }

  /** Waits for what the Worker does after its answers. */
  async settled(): Promise<void> {
    await Promise.all(this.tasks.splice(0))
  }

  /** One request, no redirects. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('host', new URL(this.origin).host)
    if (this.cookies.size > 0)
      headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const request = new Request(new URL(path, this.origin), { ...init, headers, redirect: 'manual' })
    const context = {
      waitUntil: (task: Promise<unknown>) => this.tasks.push(task),
      passThroughOnException: () => undefined,
    }
    const response = await worker.fetch(request as never, this.vars, context as never)
    this.keepCookies(response)
    await holdToContract(request.method, new URL(request.url), response)
    return response
  }

  private get origin(): string {
    return this.vars.SHOP_ORIGIN!
  }

  private async follow(path: string, init: RequestInit, steps = 0): Promise<Answer> {
    const headers = new Headers(init.headers)
    if (!headers.has('accept')) headers.set('accept', 'text/html,*/*;q=0.8')
    const response = await this.fetch(path, { ...init, headers })
    const location = response.headers.get('location')
    if (location !== null && response.status < 400) {
      const url = new URL(location, new URL(path, this.origin))
      if (url.origin === this.origin) {
        if (steps > 5) throw new Error(`Redirected without end: ${location}`)
        return this.follow(url.pathname + url.search, {}, steps + 1)
      }
    }
    const html = await response.text()
    const page = parse(html)
    const text = (page.querySelector('body') ?? page).structuredText
    return { status: response.status, path, location, headers: response.headers, html, page, text }
  }

  private keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const gone = attributes.some((attribute) => /^max-age=0$/i.test(attribute))
      if (gone) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

function named(text: string) {
  return (button: HTMLElement) => button.textContent.trim() === text || button.getAttribute('aria-label') === text
}

/** What a browser would send of a form as it stands. */
function valuesOf(form: HTMLElement): Record<string, string> {
  const values: Record<string, string> = {}
  for (const field of form.querySelectorAll('input, textarea')) {
    const name = field.getAttribute('name')
    const box = field.getAttribute('type') === 'checkbox'
    if (!name || (box && !field.hasAttribute('checked'))) continue
    values[name] = field.tagName === 'TEXTAREA' ? field.textContent : (field.getAttribute('value') ?? (box ? 'on' : ''))
  }
  return values
}

function isInRow(element: HTMLElement, text: string): boolean {
  return text === '' || (element.closest('tr')?.textContent.includes(text) ?? false)
}
