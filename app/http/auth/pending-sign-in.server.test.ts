import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test, vi } from 'vitest'
import { readPendingSignIn, setPendingSignIn } from './pending-sign-in.server'

const contextAt = (now: number, secret = 'a secret') =>
  ({
    config: { SHOP_ORIGIN: 'https://shop.example', SESSION_SECRET: secret },
    now: () => now,
    requestId: 'r1',
    ip: '203.0.113.9',
  }) as unknown as AppLoadContext

test('a login waits ten minutes for its code, in a cookie of this shop alone', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const pending = { userId: 'ada', passwordMark: null }
  const setCookie = await setPendingSignIn(contextAt(0), pending)
  expect(setCookie).toMatch(/^__Host-second-factor=.*; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const read = (context: AppLoadContext, cookie = setCookie.split(';')[0]!) =>
    readPendingSignIn(new Request('https://shop.example', { headers: { cookie } }), context)
  expect(await read(contextAt(599_999))).toMatchObject(pending)
  expect(await read(contextAt(600_000))).toBeNull()
  expect(await read(contextAt(0, 'another secret'))).toBeNull()
  for (const cookie of ['', '__Host-second-factor=x', '__Host-second-factor=e30%3D.x'])
    expect(await read(contextAt(0), cookie)).toBeNull()
  vi.restoreAllMocks()
})
