import { etagOf } from '../http/cache/etag.server'

/**
 * The tags of If-Match. Undefined: there is no condition, as with `*`, since a call answers 404 to what there is not. A weak tag matches
 * nothing, nor does what is no tag: then nothing is written (RFC 9110, 13.1.1).
 */
export function readIfMatch({ headers }: Request): string[] | undefined {
  const value = headers.get('if-match')
  if (value === null || value.trim() === '*') return undefined
  return (value.match(/(?:W\/)?"[^"]*"/g) ?? []).filter((tag) => tag.startsWith('"'))
}

/** The ETag of a JSON response. */
export function tagOfJson(body: string): Promise<string> {
  return etagOf(new TextEncoder().encode(body))
}
