/** The cookies of a new session, for the header of a request. Throws unless the account can log in with its password alone. */
export async function logIn(origin: string, account: { email: string; password: string }): Promise<string> {
  const response = await fetch(`${origin}/login`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams(account),
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  })
  if (response.headers.get('location') !== '/dashboard')
    throw new Error(`${account.email} cannot log in: ${response.status}`)
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
