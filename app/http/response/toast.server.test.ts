import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test } from 'vitest'
import { takeToast, toastTo } from './toast.server'

const contextOf = (SHOP_ORIGIN: string, SESSION_SECRET = 'one secret') =>
  ({ config: { SHOP_ORIGIN, SESSION_SECRET } }) as AppLoadContext
const context = contextOf('https://shop.example')

const requestWith = (cookie: string) => new Request('https://shop.example/', { headers: { cookie } })
const redirectWithToast = async (...more: Parameters<typeof toastTo>) => (await toastTo(...more)) as Response
const cookieOf = (response: Response) => response.headers.getSetCookie().at(-1)!.split(';')[0]!

test('shows a toast once, on the next page, by a signed cookie', async () => {
  const response = await redirectWithToast(context, '/dashboard', 'Done.', { headers: { 'set-cookie': 'session=x' } })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard'])
  expect(response.headers.getSetCookie()[0]).toBe('session=x')
  const line = response.headers.getSetCookie()[1]!
  for (const attribute of ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure', 'Max-Age=60']) {
    expect(line).toContain(attribute)
  }
  const { toast, headers } = await takeToast(requestWith(`session=x; ${cookieOf(response)}`), context)
  expect(toast).toEqual({ id: expect.any(String) as string, message: 'Done.', type: 'success' })
  expect(headers.get('set-cookie')).toBe('__Host-toast=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure')
})

test('a toast may be an error, and its cookie works without https', async () => {
  const local = contextOf('http://127.0.0.1:8788')
  const response = await redirectWithToast(local, '/', 'Not done.', { type: 'error' })
  expect(response.headers.get('set-cookie')).not.toContain('Secure')
  expect((await takeToast(requestWith(cookieOf(response)), local)).toast).toMatchObject({
    message: 'Not done.',
    type: 'error',
  })
})

test.each([50, 60])('a toast with an Undo of %d products fits in a cookie, or has no Undo', async (count) => {
  const fields = Array.from({ length: count }, (_, nth): [string, string] => ['product', `${nth}`.padEnd(34, 'x')])
  const undo = { action: '/list?q=a&b=%20', fields, label: 'Undo "all"' }
  const response = await redirectWithToast(context, '/', 'Done.', { undo })
  expect(response.headers.get('set-cookie')!.length).toBeLessThan(4096)
  const { toast } = await takeToast(requestWith(cookieOf(response)), context)
  expect(toast).toMatchObject({ message: 'Done.' })
  expect(toast!.undo).toEqual(count === 50 ? undo : undefined)
})

test('clears a forged or malformed toast without showing it', async () => {
  const forged = cookieOf(
    await redirectWithToast(contextOf('https://shop.example', 'another secret'), '/', 'You have won.'),
  )
  for (const cookie of [forged, `session=x;${forged}`, '__Host-toast=junk', '__Host-toast=x.%', '__Host-toast=']) {
    const { toast, headers } = await takeToast(requestWith(cookie), context)
    expect(toast).toBeUndefined()
    expect(headers.get('set-cookie')).toContain('Max-Age=0')
  }
})

test.each(['', 'session=x', 'my-__Host-toast=x', 'toast=x', 'x=__Host-toast=y'])(
  'shows no toast with the cookie %j',
  async (cookie) => {
    for (const request of [requestWith(cookie), new Request('https://shop.example/')]) {
      const { toast, headers } = await takeToast(request, context)
      expect([toast, headers.has('set-cookie')]).toEqual([undefined, false])
    }
  },
)
