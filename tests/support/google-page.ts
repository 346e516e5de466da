export interface GoogleAccount {
  email: string
  name?: string
  verified?: boolean
  /** Google does not host the address. */
  personal?: boolean
}

export async function chooseAtGoogle(
  location: string,
  { email, name = 'Grace', verified = true, personal = false }: GoogleAccount,
): Promise<URL> {
  const boxes = { ...(verified && { verified: 'on' }), ...(personal && { personal: 'on' }) }
  const response = await fetch(location, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(location).origin },
    body: new URLSearchParams({ choice: 'typed', email, name, ...boxes }),
  })
  return new URL(response.headers.get('location')!)
}
