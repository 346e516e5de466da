export interface GoogleAccount {
  email: string
  name?: string
  verified?: boolean
}

export async function chooseAtGoogle(
  location: string,
  { email, name = 'Grace', verified = true }: GoogleAccount,
): Promise<URL> {
  const response = await fetch(location, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(location).origin },
    body: new URLSearchParams({ choice: 'typed', email, name, ...(verified ? { verified: 'on' } : {}) }),
  })
  return new URL(response.headers.get('location')!)
}
