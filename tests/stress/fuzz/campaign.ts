import type { TestBrowser } from '../../support/test-browser'

const maxResponseMs = 2_000

interface FuzzRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array | undefined
}

export interface FuzzResponse {
  status: number
  headers: Headers
  text: string
}

export class Campaign {
  readonly faults: string[] = []
  readonly statuses: Record<string, number> = {}
  requests = 0
  slowest = 0
  readBacks = 0

  async ask(browser: TestBrowser, name: string, request: FuzzRequest): Promise<FuzzResponse | null> {
    const { path, ...init } = request
    if (!isSendable(request)) return null
    try {
      const response = await this.timed(browser, path, init as RequestInit, name)
      this.checkResponse(name, request, response)
      return response
    } catch (error) {
      this.fault(name, String(error))
      return null
    }
  }

  fault(name: string, what: string): void {
    this.faults.push(`${name.slice(0, 160)}: ${what.slice(0, 400)}`)
  }

  /** A busy machine may be slow once, so a slow request is repeated. */
  private async timed(browser: TestBrowser, path: string, init: RequestInit, name: string): Promise<FuzzResponse> {
    for (let attempt = 1; ; attempt++) {
      const startedAt = performance.now()
      const response = await browser.fetch(path, init)
      const text = await response.text()
      const ms = performance.now() - startedAt
      this.requests += 1
      this.statuses[response.status] = (this.statuses[response.status] ?? 0) + 1
      if (ms <= maxResponseMs || attempt === 3) {
        this.slowest = Math.max(this.slowest, ms)
        if (ms > maxResponseMs) this.fault(name, `took ${Math.round(ms)} ms, three times`)
        return { status: response.status, headers: response.headers, text }
      }
    }
  }

  private checkResponse(name: string, { method, path }: FuzzRequest, { status, headers, text }: FuzzResponse): void {
    // The server refuses a URL or header that is too long before the Worker sees it.
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

/** Node cannot send TRACE or a line break in a header. */
function isSendable({ path, ...init }: FuzzRequest): boolean {
  try {
    new Request(new URL(path, 'http://127.0.0.1'), init as RequestInit)
    return true
  } catch {
    return false
  }
}
