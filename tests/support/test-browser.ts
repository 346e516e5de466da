import { parse, type HTMLElement } from 'node-html-parser'
import { checkContract } from './contract'
import { send, type RequestOptions } from './http'

export interface PageResponse {
  status: number
  path: string
  /** Where the browser scrolls to: of the redirect that led here. */
  fragment: string
  /** The URL of a redirect to another site. */
  location: string | null
  headers: Headers
  html: string
  /** Includes what was typed into the fields. */
  page: HTMLElement
  text: string
  /** A reload sends this request again. */
  request: { path: string; init: RequestOptions }
}

/** A browser without JavaScript: it refuses disabled buttons, invalid fields and fields that do not exist. */
export class TestBrowser {
  private readonly cookies = new Map<string, string>()
  private readonly history: PageResponse[] = []
  /** The headers of another browser, which names in Referer where a link or a form stands, and says nothing else about itself. */
  sends: Record<string, string> | null = null

  constructor(
    readonly origin: string,
    readonly waitUntilIdle: () => Promise<void> = () => Promise.resolve(),
  ) {}

  async get(path: string, headers: Record<string, string> = {}): Promise<PageResponse> {
    return this.visit(await this.follow(path, { headers }))
  }

  /** Posts without a page, as a hand-made request does. */
  async post(
    path: string,
    fields: Record<string, string> | [string, string][] | FormData,
    headers: Record<string, string> = {},
  ): Promise<PageResponse> {
    return this.visit(await this.follow(path, this.form(fields, headers)))
  }

  /** Submits the form of a button. `cut` throws `LineCut` and stays on the page; `extraFields` are not in the form. */
  async press(
    response: PageResponse,
    name: string,
    typed: Record<string, string> = {},
    {
      row = '',
      cut,
      extraFields = {},
    }: { row?: string; cut?: RequestOptions['cut']; extraFields?: Record<string, string> } = {},
  ): Promise<PageResponse> {
    const button = response.page.querySelectorAll('button').find((each) => isNamed(each, name) && isInRow(each, row))
    const formId = button?.getAttribute('form')
    const form = formId ? response.page.querySelector(`form#${formId}`) : button?.closest('form')
    if (!button || !form) throw new Error(`No form with the button "${name}" in:\n${response.text}`)
    if (button.hasAttribute('disabled')) throw new Error(`The button "${name}" is disabled`)
    for (const [field, value] of Object.entries(typed)) type(form, field, value)
    if (!form.hasAttribute('novalidate') && !button.hasAttribute('formnovalidate')) requireValid(form)
    const action = button.getAttribute('formaction') ?? form.getAttribute('action') ?? ''
    const path = action.replace(/#.*/, '') || response.path
    const fields = [...valuesOf(form).filter(([each]) => !(each in extraFields)), ...Object.entries(extraFields)]
    if (button.getAttribute('name')) fields.push([button.getAttribute('name')!, button.getAttribute('value') ?? ''])
    const method = button.getAttribute('formmethod') ?? form.getAttribute('method')
    const init = method === 'post' ? this.form(fields) : {}
    const query = method === 'post' ? path : `${path.split('?')[0]}?${new URLSearchParams(fields).toString()}`
    return this.visit(await this.follow(query, { ...init, ...(cut && { cut }) }))
  }

  /** The page with what was typed, or loaded again when it has `no-store`. */
  async back(): Promise<PageResponse> {
    this.history.pop()
    const before = this.history.pop()
    if (!before) throw new Error('There is no page before this one')
    return this.again(before)
  }

  /** Goes back from the error page that a browser shows when no response came. */
  backFromError(): Promise<PageResponse> {
    const before = this.history.pop()
    if (!before) throw new Error('There is no page to go back to')
    return this.again(before)
  }

  async reload({ request: { path, init } }: PageResponse): Promise<PageResponse> {
    return this.visit(await this.follow(path, init))
  }

  async signIn({ email, password }: { email: string; password: string }): Promise<this> {
    const response = await this.press(await this.get('/login'), 'Login', { email, password })
    if (!response.path.startsWith('/dashboard'))
      throw new Error(`Signing in failed with ${response.status}:\n${response.text}`)
    return this
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name)
  }

  setCookie(name: string, value: string): void {
    this.cookies.set(name, value)
  }

  async fetch(path: string, init: RequestOptions = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookie && !headers.has('cookie')) headers.set('cookie', cookie)
    const response = await send(this.origin, path, { ...init, headers })
    this.storeCookies(response)
    // 431 comes from the server, before the Worker.
    if (response.status !== 431) await checkContract(init.method ?? 'GET', new URL(this.origin + path), response)
    return response
  }

  private async again(before: PageResponse): Promise<PageResponse> {
    const isStored = !/\bno-store\b/.test(before.headers.get('cache-control') ?? '')
    return this.visit(isStored ? before : await this.follow(before.request.path, before.request.init))
  }

  private visit(response: PageResponse): PageResponse {
    this.history.push(response)
    requireSpokenToast(response)
    return response
  }

  private form(
    fields: Record<string, string> | [string, string][] | FormData,
    headers: Record<string, string> = {},
  ): RequestOptions {
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields)
    return { method: 'POST', body, headers: { ...(!this.sends && { origin: this.origin }), ...headers } }
  }

  private async follow(path: string, init: RequestOptions, { steps = 0, fragment = '' } = {}): Promise<PageResponse> {
    const headers = new Headers(init.headers)
    const referer = this.history.at(-1)?.path
    const own: Record<string, string> = this.sends
      ? { ...this.sends, ...(referer !== undefined && { referer: this.origin + referer }) }
      : { accept: 'text/html,*/*;q=0.8', 'upgrade-insecure-requests': '1' }
    for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.set(name, value)
    const response = await this.fetch(path, { ...init, headers })
    const location = response.headers.get('location')
    if (location !== null && response.status < 400) {
      const url = new URL(location, this.origin + path)
      if (url.origin === this.origin) {
        if (steps > 5) throw new Error(`Redirected without end: ${location}`)
        return this.follow(url.pathname + url.search, {}, { steps: steps + 1, fragment: url.hash })
      }
    }
    const html = await response.text()
    const page = parse(html)
    const text = (page.querySelector('body') ?? page).structuredText
    return {
      status: response.status,
      path,
      fragment,
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

/** Of a page without scripts: most screen readers say nothing of a `status` that is there when the page arrives. */
function requireSpokenToast({ status, html, page, path }: PageResponse): void {
  const toast = page.querySelector('#toast')
  if (!toast || status >= 400 || html.includes('<script nonce')) return
  const title = page.querySelector('title')!.text
  const focused = page.querySelector('[autofocus]')
  if (!title.startsWith(`${toast.text} · `))
    throw new Error(`The title of ${path} is "${title}", without "${toast.text}"`)
  // An open dialog has the focus, and only the title speaks.
  if (focused?.hasAttribute('data-cancel')) return
  if (focused?.tagName !== 'H1' || focused.getAttribute('aria-describedby') !== 'toast')
    throw new Error(`Nothing that has the focus of ${path} says "${toast.text}"`)
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

function type(form: HTMLElement, name: string, value: string): void {
  // Of rows with the same names, each field has an id of its own.
  const of = (key: string) => form.querySelectorAll(controls).filter((each) => each.getAttribute(key) === name)
  const named = of('name').length > 0 ? of('name') : of('id')
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

function requireValid(form: HTMLElement): void {
  for (const field of form.querySelectorAll(controls)) {
    const [name, value] = [field.getAttribute('name') ?? '', valueOf(field) ?? '']
    const [min, max] = [field.getAttribute('min'), field.getAttribute('max')]
    const isMissing = field.hasAttribute('required') && value === ''
    const isNoEmail = value !== '' && kindOf(field) === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value)
    const isOutside = value !== '' && ((min && Number(value) < Number(min)) || (max && Number(value) > Number(max)))
    if (isMissing || isNoEmail || isOutside) throw new Error(`The browser does not send "${name}" with "${value}"`)
  }
}

function valueOf(field: HTMLElement): string | undefined {
  const kind = kindOf(field)
  if (kind === 'textarea') return field.textContent.replace(/^\n/, '')
  if (kind === 'select') {
    const options = field.querySelectorAll('option')
    const selected = options.find((each) => each.hasAttribute('selected')) ?? options[0]
    return selected && (selected.getAttribute('value') ?? selected.textContent)
  }
  if (kind === 'checkbox' || kind === 'radio') {
    return field.hasAttribute('checked') ? (field.getAttribute('value') ?? 'on') : undefined
  }
  return field.getAttribute('value') ?? ''
}

function valuesOf(form: HTMLElement): [string, string][] {
  return form.querySelectorAll(controls).flatMap((field): [string, string][] => {
    const [name, value] = [field.getAttribute('name'), valueOf(field)]
    return name && value !== undefined && !field.hasAttribute('disabled') ? [[name, value]] : []
  })
}
