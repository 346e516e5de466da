import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test } from 'vitest'
import { clientIp } from './client-ip'
import { signInOrigin, setDeviceCookie } from './device-cookie.server'

const contextOf = (SHOP_ORIGIN: string, SESSION_SECRET = 'one secret') =>
  ({ config: { SHOP_ORIGIN, SESSION_SECRET } }) as AppLoadContext
const context = contextOf('https://shop.example')

const ada = { email: 'ada@example.com', passwordHash: 'scrypt$1' }

const request = (headers: Record<string, string>) => new Request('https://shop.example/login', { headers })
const cookie = (line: string) => request({ cookie: line.split(';')[0]!, 'cf-connecting-ip': '203.0.113.9' })

test('recognises a browser at the account that it has signed in to, and at no other', async () => {
  const line = await setDeviceCookie(context, ada)
  const { ip, device } = await signInOrigin(cookie(line), context, 'ada@example.com')
  expect(ip).toBe('203.0.113.9')
  expect(device).toMatchObject({
    id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    passwordMark: expect.any(String) as string,
  })
  expect((await signInOrigin(cookie(line), context, 'bea@example.com')).device).toBeNull()
  expect((await signInOrigin(request({}), context, 'ada@example.com')).device).toBeNull()
  const next = await signInOrigin(cookie(await setDeviceCookie(context, ada)), context, 'ada@example.com')
  expect(next.device!.id).not.toBe(device!.id)
  expect(next.device!.passwordMark).toBe(device!.passwordMark)
  const changed = await setDeviceCookie(context, { ...ada, passwordHash: 'scrypt$2' })
  const { device: after } = await signInOrigin(cookie(changed), context, ada.email)
  expect(after!.passwordMark).not.toBe(device!.passwordMark)
})

test('ignores a forged or malformed device cookie', async () => {
  const forged = await setDeviceCookie(contextOf('https://shop.example', 'another secret'), ada)
  for (const line of [forged, ...['junk', 'x.%', 'x.a', ''].map((value) => `__Secure-known=${value}`)]) {
    expect((await signInOrigin(cookie(line), context, 'ada@example.com')).device).toBeNull()
  }
})

test.each([
  ['https://shop.example', true],
  ['http://127.0.0.1:8788', false],
])('at %s the device cookie is Secure: %j', async (origin, secure) => {
  const line = await setDeviceCookie(contextOf(origin), ada)
  expect(line).toMatch(secure ? /^__Secure-known=/ : /^known=/)
  for (const attribute of ['Path=/login', 'HttpOnly', 'SameSite=Lax', 'Max-Age=15552000']) {
    expect(line).toContain(attribute)
  }
  expect(line.includes('Secure')).toBe(secure)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7'],
  ['2001:0db8::7:1:2:3:4', '2001:db8:0:7'],
  ['2001:db8:0:7::1', '2001:db8:0:7'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['2001:db8::abc:1:2:3:4', '2001:db8:0:abc'],
  ['1:2:3:4:5:6:7::', '1:2:3:4'],
  ['2001:DB8:00aB:7::1', '2001:db8:ab:7'],
])('the client IP of %s is %s', (address, clientAddress) => {
  expect(clientIp(request({ 'cf-connecting-ip': address, 'x-forwarded-for': '198.51.100.1' }))).toBe(clientAddress)
})

test('requests without an address share one', () => {
  expect(clientIp(request({ 'x-forwarded-for': '198.51.100.1' }))).toBe('unknown')
})
