import type { TestBrowser } from '../../support/test-browser'

/** How long an answer may take, in milliseconds. */
const patience = 2_000

interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array | undefined
}

export interface Heard {
  status: number
  headers: Headers
  text: string
}

/** Sends requests, judges every answer by what holds for all of them, and counts. */
export class Campaign {
  readonly faults: string[] = []
  readonly statuses: Record<string, number> = {}
  requests = 0
  slowest = 0
  readBacks = 0

  /** One request; null when nothing was answered, or when no client could send it. */
  async ask(browser: TestBrowser, name: string, sent: Sent): Promise<Heard | null> {
    const { path, ...init } = sent
    if (!isSendable(sent)) return null
    try {
      const heard = await this.timed(browser, path, init as RequestInit, name)
      this.judge(name, sent, heard)
      return heard
    } catch (error) {
      this.fault(name, String(error))
      return null
    }
  }

  fault(name: string, what: string): void {
    this.faults.push(`${name.slice(0, 160)}: ${what.slice(0, 400)}`)
  }

  /** A machine that others use too may be slow once: what is slow by itself is slow again. */
  private async timed(browser: TestBrowser, path: string, init: RequestInit, name: string): Promise<Heard> {
    for (let attempt = 1; ; attempt++) {
      const begun = performance.now()
      const response = await browser.fetch(path, init)
      const text = await response.text()
      const took = performance.now() - begun
      this.requests += 1
      this.statuses[response.status] = (this.statuses[response.status] ?? 0) + 1
      if (took <= patience || attempt === 3) {
        this.slowest = Math.max(this.slowest, took)
        if (took > patience) this.fault(name, `took ${Math.round(took)} ms, three times`)
        return { status: response.status, headers: response.headers, text }
      }
    }
  }

  private judge(name: string, { method, path }: Sent, { status, headers, text }: Heard): void {
    // An address or a header that is too long for the server never comes to the Worker.
    if (status === 431) return
    if (status >= 500) this.fault(name, `${status} ${text}`)
    if (/\n\s+at \S+ \(|SQLITE_|Failed query|node_modules/.test(text)) this.fault(name, `tells of the inside: ${text}`)
    const isEverybodys = /\bpublic\b/.test(headers.get('cache-control') ?? '')
    if (!headers.has('x-request-id') && !isEverybodys) this.fault(name, 'has no request id')
    if (headers.has('set-cookie') && isOfApi(path)) this.fault(name, 'sets a cookie')
    if (status < 400 || method === 'HEAD' || !isOfApi(path)) return
    // Whoever prefers pages is shown the one of an instrument, or the one that there is no such page.
    const isHtml = headers.get('content-type')?.startsWith('text/html')
    const isPage = isHtml && (status === 404 || /^\/instruments\/[^/]+$/.test(path))
    if (!isPage && !isRefusal(text)) this.fault(name, `${status} is no refusal of the API: ${text}`)
    if (status === 405 && !headers.has('allow')) this.fault(name, '405 without Allow')
  }
}

const apiPath = /^\/(instruments|order|create-payment-intent|reviews|user|admin|update|openapi\.json)(?=[/?]|$)/

function isOfApi(path: string): boolean {
  // `/order/%2e%2e` is `/`.
  const { pathname } = new URL(path, 'http://127.0.0.1')
  return apiPath.test(pathname) && !pathname.endsWith('.data')
}

function isRefusal(text: string): boolean {
  try {
    const { error, ...rest } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } }
    return typeof error?.code === 'string' && typeof error.message === 'string' && Object.keys(rest).length === 0
  } catch {
    return false
  }
}

/** Whether a request can be made of it here: Node makes none with TRACE, or with a line end in a header. */
function isSendable({ path, ...init }: Sent): boolean {
  try {
    new Request(new URL(path, 'http://127.0.0.1'), init as RequestInit)
    return true
  } catch {
    return false
  }
}
