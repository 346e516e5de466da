export function requestIdOf({ headers }: Request): string {
  return headers.get('cf-ray') ?? crypto.randomUUID()
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
