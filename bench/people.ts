import type { Served } from './stage'

/** A demo account, signed in: its cookie for pages and its token for calls. */
export async function signIn({ origin }: Served, email = 'ada@example.com') {
  const body = new URLSearchParams({ email, password: 'practice' })
  const response = await fetch(`${origin}/login`, { method: 'POST', body, headers: { origin }, redirect: 'manual' })
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0]!)
    .find((pair) => pair.includes('session='))
  if (!cookie) throw new Error(`${email} could not sign in: ${response.status}`)
  const told = await fetch(`${origin}/user/${email}`, {
    method: 'PUT',
    headers: { origin, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  const { token } = await told.json<{ token: string }>()
  return { cookie, token }
}

/** The call by which whoever holds this token orders five violins. */
export function orderBy(token: string) {
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      instrumentId: 'violin-4-4',
      productName: 'Concert Violin 4/4',
      orderQuantity: 5,
      customerAddress: '1 Bow Lane',
      customerPhone: '07700900123',
    }),
  }
}
