/** With a token, the session cookie is ignored. */
export function hasBearerToken({ headers }: Request): boolean {
  return /^bearer\s/i.test(headers.get('authorization') ?? '')
}
