/** With a token, the session cookie is ignored. */
export function hasBearerToken({ headers }: Request): boolean {
  return /^bearer\s/i.test(headers.get('authorization') ?? '')
}

/** An access token or an API key. */
export function bearerOf(authorization: string | null): string | null {
  return authorization === null ? null : (/^bearer\s+(\S+)$/i.exec(authorization)?.[1] ?? null)
}

/** How an API key begins. */
export function isApiKey(token: string | null): token is string {
  return token?.startsWith('cdk_') ?? false
}
