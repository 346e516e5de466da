/** What this request is called in its answer and in every line of the log. */
export function requestIdOf({ headers }: Request): string {
  return headers.get('cf-ray') ?? crypto.randomUUID()
}

/**
 * Writes an error into the log, by the request it happened in. A failed query is told without its parameters: drizzle puts
 * them into the message, and they are hashes, addresses and what people typed.
 */
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
