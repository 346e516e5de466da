import type { Refusal } from '../store/refusal'

export function requestIdOf({ headers }: Request): string {
  return headers.get('cf-ray') ?? crypto.randomUUID()
}

/**
 * One JSON line for what an operator may want to count or be woken by. Without secrets and emails; of the IP address the
 * first half.
 */
export function logSecurityEvent(
  { requestId, ip }: { requestId: string; ip: string },
  event: string,
  details: { user?: string | undefined; limit?: string | undefined } = {},
): void {
  const network = ip.includes(':') ? ip.split(':').slice(0, 2).join(':') : ip.split('.').slice(0, 2).join('.')
  console.warn(JSON.stringify({ level: 'info', type: 'security', event, requestId, network, ...details }))
}

/** The limit by its name: its key has an IP address or an account. What a signed-in `user` may not do or find counts too. */
export function logRefusal(request: { requestId: string; ip: string }, { code, limit }: Refusal, user?: string): void {
  if (code === 'too-many')
    logSecurityEvent(request, 'limit reached', { limit: limit?.split(':').slice(0, 2).join(':') })
  if (code === 'wrong-credentials') logSecurityEvent(request, 'wrong password')
  if (code === 'wrong-code') logSecurityEvent(request, 'wrong code', { user })
  if (code === 'forbidden') logSecurityEvent(request, 'not allowed', { user })
  if (code === 'not-found' && user) logSecurityEvent(request, 'not found', { user })
}

/** Drizzle's message has the query's parameters (hashes, addresses, user input), which must not be logged. */
export function logError(requestId: string, error: unknown, what = ''): void {
  if (error instanceof AggregateError) for (const each of error.errors) logError(requestId, each, what)
  else
    console.error(
      requestId,
      what,
      isFailedQuery(error) ? `Failed query: ${error.query}\n${String(error.cause)}` : error,
    )
}

function isFailedQuery(error: unknown): error is Error & { query: string } {
  return error instanceof Error && 'query' in error && 'params' in error
}
