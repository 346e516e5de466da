/** Whether the caller shows an access token. Then the session cookie counts for nothing, wherever it leads. */
export function showsToken({ headers }: Request): boolean {
  return /^bearer\s/i.test(headers.get('authorization') ?? '')
}
