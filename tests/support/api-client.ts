import type { Shop } from './shop'
import type { TestBrowser } from './test-browser'

export interface ApiResponse<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
}

export class Program {
  constructor(
    private readonly browser: TestBrowser,
    readonly token: string | null,
  ) {}

  async call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<Body>> {
    const response = await this.browser.fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = text === '' ? null : (JSON.parse(text) as unknown)
    return { status: response.status, headers: response.headers, body: json as Body }
  }
}

export async function programOf(shop: Shop, user: { email: string; password: string }): Promise<Program> {
  const browser = await shop.visitor().signIn(user)
  const response = await browser.fetch(`/user/${user.email}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', origin: shop.deps.origin },
    body: JSON.stringify({ email: user.email }),
  })
  const { token } = await response.json<{ token: string }>()
  return new Program(shop.visitor(), token)
}

export function nobody(shop: Shop): Program {
  return new Program(shop.visitor(), null)
}
