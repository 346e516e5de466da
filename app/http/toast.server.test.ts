import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test } from 'vitest'
import { takeToast, toastTo } from './toast.server'

const contextOf = (SHOP_ORIGIN: string, SESSION_SECRET = 'one secret') =>
  ({ config: { SHOP_ORIGIN, SESSION_SECRET } }) as AppLoadContext
const context = contextOf('https://shop.example')

const requestWith = (cookie: string) => new Request('https://shop.example/', { headers: { cookie } })
const told = async (...more: Parameters<typeof toastTo>) => (await toastTo(...more)) as Response
const cookieOf = (response: Response) => response.headers.getSetCookie().at(-1)!.split(';')[0]!

test('a toast is carried to the next page by a signed cookie, and shown once', async () => {
  const response = await told(context, '/dashboard', 'Done.', { headers: { 'set-cookie': 'session=x' } })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard'])
  expect(response.headers.getSetCookie()[0]).toBe('session=x')
  const line = response.headers.getSetCookie()[1]!
  for (const attribute of ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure', 'Max-Age=60']) {
    expect(line).toContain(attribute)
  }
  const { toast, headers } = await takeToast(requestWith(`session=x; ${cookieOf(response)}`), context)
  expect(toast).toEqual({ id: expect.any(String) as string, message: 'Done.', type: 'success' })
  expect(headers.get('set-cookie')).toBe('toast=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
})

test('a toast may be an error, and needs no https on this machine', async () => {
  const local = contextOf('http://127.0.0.1:8788')
  const response = await told(local, '/', 'Not done.', { type: 'error' })
  expect(response.headers.get('set-cookie')).not.toContain('Secure')
  expect((await takeToast(requestWith(cookieOf(response)), local)).toast).toMatchObject({
    message: 'Not done.',
    type: 'error',
  })
})

test('a toast that the shop has not signed is forgotten and not shown', async () => {
  const forged = cookieOf(await told(contextOf('https://shop.example', 'another secret'), '/', 'You have won.'))
  for (const cookie of [forged, `session=x;${forged}`, 'toast=junk', 'toast=x.%', 'toast=']) {
    const { toast, headers } = await takeToast(requestWith(cookie), context)
    expect(toast).toBeUndefined()
    expect(headers.get('set-cookie')).toContain('Max-Age=0')
  }
})

test.each(['', 'session=x', 'my-toast=x', 'x=toast=y'])(
  'with the cookie %j there is nothing to show',
  async (cookie) => {
    for (const request of [requestWith(cookie), new Request('https://shop.example/')]) {
      const { toast, headers } = await takeToast(request, context)
      expect([toast, headers.has('set-cookie')]).toEqual([undefined, false])
    }
  },
)
