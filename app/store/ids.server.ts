/** A new id for a row: 128 random bits, so that ids tell nothing and need no counter. */
export function newId(): string {
  return crypto.randomUUID()
}

/** A new secret for somebody to hold: 256 random bits, safe in addresses and cookies. We keep its hash only. */
export function newSecret(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/** Bytes as text that is safe in addresses and cookies (RFC 4648, section 5), without padding. */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** What is kept of a secret: its SHA-256 in hex. Enough for secrets that were random; passwords need `passwords`. */
export async function hashSecret(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The id of what one wish makes: the same wish, the same id. */
export function idOf(wish: string): Promise<string> {
  return hashSecret(wish)
}
