export function newId(): string {
  return crypto.randomUUID()
}

/** 256 random bits; store only its hash. */
export function newSecret(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** SHA-256 in hex: only for random secrets, never for passwords. */
export async function hashSecret(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function idOf(key: string): Promise<string> {
  return hashSecret(key)
}
