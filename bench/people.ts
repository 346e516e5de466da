import { logIn } from '../dev/log-in'
import type { Served } from './stage'

export async function signIn({ origin }: Served, email = 'ada@example.com') {
  const cookie = await logIn(origin, { email, password: 'practice' })
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
