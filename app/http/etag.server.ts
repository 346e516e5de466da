/** The strong tag of a body (RFC 9110, section 8.8.3): the same bytes, the same tag. */
export async function etagOf(body: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  return `"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}

/** Whether the caller says that it has the answer with this tag. A compressing proxy may have weakened the tag on its way. */
export function isKnown(request: Request, etag: string): boolean {
  const named = request.headers.get('if-none-match')
  if (named === null) return false
  return named.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
