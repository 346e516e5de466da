import type { Served } from './stage'

export async function signIn({ origin }: Served, email = 'ada@example.com') {
  const body = new URLSearchParams({ email, password: 'practice' })
  const response = await fetch(`${origin}/login`, { method: 'POST', body, headers: { origin }, redirect: 'manual' })
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0]!)
    .find((pair) => pair.includes('session='))
  if (!cookie) throw new Error(`${email} could not sign in: ${response.status}`)
  const tokenResponse = await fetch(`${origin}/user/${email}`, {
    method: 'PUT',
    headers: { origin, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  const { token } = await tokenResponse.json<{ token: string }>()
  return { cookie, token }
}

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
