export interface Chosen {
  email: string
  name?: string
  verified?: boolean
}

/** Chooses an account on the sandbox's Google page; answers where Google leads back to. */
export async function chooseAtGoogle(
  location: string,
  { email, name = 'Grace', verified = true }: Chosen,
): Promise<URL> {
  const chosen = await fetch(location, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(location).origin },
    body: new URLSearchParams({ choice: 'typed', email, name, ...(verified ? { verified: 'on' } : {}) }),
  })
  return new URL(chosen.headers.get('location')!)
}
