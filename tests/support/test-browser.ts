import { parse, type HTMLElement } from 'node-html-parser'
import { holdToContract } from './contract'
import { send, type Sent } from './http'

export interface Answer {
  status: number
  /** Path and query of the page that was reached in the end. */
  path: string
  /** Where an answer that leads to another site leads to. */
  location: string | null
  headers: Headers
  html: string
  /** As it stands in the browser: what was typed is in its fields. */
  page: HTMLElement
  /** What a reader sees. */
  text: string
  /** The request that this page came of, which a reload sends again. */
  request: { path: string; init: Sent }
}

/**
 * A browser without JavaScript at the shop's front door. It stores cookies, follows redirects and fills in forms, and does
 * what a browser does with them: it presses no button that is disabled, sends no form with a field that its own checks
 * refuse, types into no field that is not there, goes back to a page as it was (or loads it anew, if it may not be
 * stored), and can lose its line.
 */
export class TestBrowser {
  private readonly cookies = new Map<string, string>()
  private readonly history: Answer[] = []

  constructor(
    readonly origin: string,
    /** Waits for what the shop does after its answers. */
    readonly settled: () => Promise<void> = () => Promise.resolve(),
  ) {}

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.visit(await this.follow(path, { headers }))
  }

  /** Posts fields as a form without looking at a page first, as a hand-made request does. */
  async post(
    path: string,
    fields: Record<string, string> | FormData,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.visit(await this.follow(path, this.form(fields, headers)))
  }

  /**
   * Fills in the form with this button (of the row with another text) and presses it. `cut` breaks the line: it throws
   * `LineCut`, and the browser stays where it was. `forged` is sent beside what the form has, as no browser would.
   */
  async press(
    answer: Answer,
    name: string,
    typed: Record<string, string> = {},
    { row = '', cut, forged = {} }: { row?: string; cut?: Sent['cut']; forged?: Record<string, string> } = {},
  ): Promise<Answer> {
    const button = answer.page.querySelectorAll('button').find((each) => isNamed(each, name) && isInRow(each, row))
    const form = button?.closest('form')
    if (!button || !form) throw new Error(`No form with the button "${name}" in:\n${answer.text}`)
    if (button.hasAttribute('disabled')) throw new Error(`The button "${name}" is disabled`)
    for (const [field, value] of Object.entries(typed)) type(form, field, value)
    if (!form.hasAttribute('novalidate') && !button.hasAttribute('formnovalidate')) requireValid(form)
    const path = (button.getAttribute('formaction') ?? form.getAttribute('action') ?? answer.path).replace(/#.*/, '')
    const fields = { ...valuesOf(form), ...forged }
    if (button.getAttribute('name')) fields[button.getAttribute('name')!] = button.getAttribute('value') ?? ''
    const method = button.getAttribute('formmethod') ?? form.getAttribute('method')
    const init = method === 'post' ? this.form(fields) : {}
    const query = method === 'post' ? path : `${path.split('?')[0]}?${new URLSearchParams(fields).toString()}`
    return this.visit(await this.follow(query, { ...init, ...(cut && { cut }) }))
  }

  /** The page before: as it was, with what was typed; loaded anew when it was not to be stored. */
  async back(): Promise<Answer> {
    this.history.pop()
    const before = this.history.pop()
    if (!before) throw new Error('There is no page before this one')
    return this.again(before)
  }

  /**
   * The page that is shown, after its form was sent and no answer came: the browser shows an error page of its own then, and
   * the visitor goes back from there.
   */
  backFromError(): Promise<Answer> {
    const before = this.history.pop()
    if (!before) throw new Error('There is no page to go back to')
    return this.again(before)
  }

  /** Loads a page once more, as the reload button does: a form that it came of is sent again. */
  async reload({ request: { path, init } }: Answer): Promise<Answer> {
    return this.visit(await this.follow(path, init))
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

  /** One request, no redirects. */
  async fetch(path: string, init: Sent = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookie && !headers.has('cookie')) headers.set('cookie', cookie)
    const response = await send(this.origin, path, { ...init, headers })
    this.storeCookies(response)
    // 431 is the server's own, of what is too long for any Worker.
    if (response.status !== 431) await holdToContract(init.method ?? 'GET', new URL(this.origin + path), response)
    return response
  }

  private async again(before: Answer): Promise<Answer> {
    const isStored = !/\bno-store\b/.test(before.headers.get('cache-control') ?? '')
    return this.visit(isStored ? before : await this.follow(before.request.path, before.request.init))
  }

  private visit(answer: Answer): Answer {
    this.history.push(answer)
    return answer
  }

  private form(fields: Record<string, string> | FormData, headers: Record<string, string> = {}): Sent {
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields)
    return { method: 'POST', body, headers: { origin: this.origin, ...headers } }
  }

  private async follow(path: string, init: Sent, steps = 0): Promise<Answer> {
    const headers = new Headers(init.headers)
    if (!headers.has('accept')) headers.set('accept', 'text/html,*/*;q=0.8')
    const response = await this.fetch(path, { ...init, headers })
    const location = response.headers.get('location')
    if (location !== null && response.status < 400) {
      const url = new URL(location, this.origin + path)
      if (url.origin === this.origin) {
        if (steps > 5) throw new Error(`Redirected without end: ${location}`)
        return this.follow(url.pathname + url.search, {}, steps + 1)
      }
    }
    const html = await response.text()
    const page = parse(html)
    const text = (page.querySelector('body') ?? page).structuredText
    return {
      status: response.status,
      path,
      location,
      headers: response.headers,
      html,
      page,
      text,
      request: { path, init },
    }
  }

  private storeCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const gone = attributes.some((attribute) => /^max-age=0$/i.test(attribute))
      if (gone) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

function isNamed(button: HTMLElement, text: string): boolean {
  return button.textContent.trim() === text || button.getAttribute('aria-label') === text
}

function isInRow(element: HTMLElement, text: string): boolean {
  return text === '' || (element.closest('tr')?.textContent.includes(text) ?? false)
}

const controls = 'input, textarea, select'

function kindOf(field: HTMLElement): string {
  return field.tagName === 'INPUT' ? (field.getAttribute('type') ?? 'text') : field.tagName.toLowerCase()
}

/** Types a text into a field, ticks a box (`on` or the empty text), or chooses an option: it stays in the page. */
function type(form: HTMLElement, name: string, value: string): void {
  const named = form.querySelectorAll(controls).filter((each) => each.getAttribute('name') === name)
  const kind = named[0] && kindOf(named[0])
  const [field] = kind === 'radio' ? named.filter((each) => each.getAttribute('value') === value) : named
  if (!field) throw new Error(`The form has no field "${name}"`)
  if (field.hasAttribute('disabled')) throw new Error(`The field "${name}" is disabled`)
  if (kind === 'textarea') field.textContent = value
  else if (kind === 'checkbox' || kind === 'radio') {
    for (const each of named) each.removeAttribute('checked')
    if (value) field.setAttribute('checked', '')
  } else if (kind === 'select') {
    const options = field.querySelectorAll('option')
    for (const each of options) each.removeAttribute('selected')
    const option = options.find((each) => (each.getAttribute('value') ?? each.textContent) === value)
    if (!option) throw new Error(`"${name}" has no option "${value}"`)
    option.setAttribute('selected', '')
  } else field.setAttribute('value', value)
}

/** The checks that a browser makes of its own accord, of the kinds that our pages could ask for. */
function requireValid(form: HTMLElement): void {
  for (const field of form.querySelectorAll(controls)) {
    const [name, value] = [field.getAttribute('name') ?? '', valueOf(field) ?? '']
    const [least, most] = [field.getAttribute('min'), field.getAttribute('max')]
    const isMissing = field.hasAttribute('required') && value === ''
    const isNoEmail = value !== '' && kindOf(field) === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value)
    const isOutside =
      value !== '' && ((least && Number(value) < Number(least)) || (most && Number(value) > Number(most)))
    if (isMissing || isNoEmail || isOutside) throw new Error(`The browser does not send "${name}" with "${value}"`)
  }
}

/** What a field contributes to its form; undefined for one that is not sent. */
function valueOf(field: HTMLElement): string | undefined {
  const kind = kindOf(field)
  if (kind === 'textarea') return field.textContent.replace(/^\n/, '')
  if (kind === 'select') {
    const options = field.querySelectorAll('option')
    const chosen = options.find((each) => each.hasAttribute('selected')) ?? options[0]
    return chosen && (chosen.getAttribute('value') ?? chosen.textContent)
  }
  if (kind === 'checkbox' || kind === 'radio') {
    return field.hasAttribute('checked') ? (field.getAttribute('value') ?? 'on') : undefined
  }
  return field.getAttribute('value') ?? ''
}

/** What a browser sends of a form as it stands. */
function valuesOf(form: HTMLElement): Record<string, string> {
  const values: Record<string, string> = {}
  for (const field of form.querySelectorAll(controls)) {
    const [name, value] = [field.getAttribute('name'), valueOf(field)]
    if (name && value !== undefined && !field.hasAttribute('disabled')) values[name] = value
  }
  return values
}
