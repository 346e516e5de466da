export async function etagOf(body: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<string> {
  return tagOf(new Uint8Array(await crypto.subtle.digest('SHA-256', body)))
}

/** Of a SHA-256. */
export function tagOf(digest: Uint8Array): string {
  return `"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}

/** Weak tags match too: a compressing proxy may have weakened ours. */
export function etagMatches(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false
}
