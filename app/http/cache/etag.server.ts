/** The strong tag of a body (RFC 9110, section 8.8.3): the same bytes, the same tag. */
export async function etagOf(body: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  return `"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}

/** Whether the caller's If-None-Match names this tag. A compressing proxy may have weakened it on its way. */
export function isKnown(named: string | null, etag: string): boolean {
  return named?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false
}
