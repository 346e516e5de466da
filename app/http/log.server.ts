import { ProviderError } from '../store/deps'
import type { Refusal } from '../store/shared/refusal'
import { cutText } from '../store/shared/text'

/* docs/on-call.md lists the events and what to do about each. */

export type Level = 'error' | 'warn' | 'info'

export function requestIdOf({ headers }: Request): string {
  return headers.get('cf-ray') ?? crypto.randomUUID()
}

let isOwn = false

/** One JSON line. `event` is what an alert looks for: it never has an id or a number. */
export function logEvent(level: Level, event: string, details: object): void {
  isOwn = true
  try {
    console[level](JSON.stringify({ level, event, ...details }))
  } finally {
    isOwn = false
  }
}

const methods = { error: 'error', warn: 'warn', info: 'info', log: 'info', debug: 'info', trace: 'info' } as const

/**
 * What packages print is one JSON line too. React Router quotes the path that the visitor typed, so the line has the words before the
 * first sign that a path or a quote can begin with.
 */
export function logPackageOutput(target: Record<keyof typeof methods, (...values: unknown[]) => void>): void {
  for (const [method, level] of Object.entries(methods) as [keyof typeof methods, Level][]) {
    const print = target[method].bind(target)
    target[method] = (...values) => {
      if (isOwn) print(...values)
      else logEvent(level, 'package output', { message: wordsOf(values[0]), stack: stackOf(new Error()) })
    }
  }
}

function wordsOf(value: unknown): string {
  const text = value instanceof Error ? value.message : typeof value === 'string' ? value : typeof value
  return clean(/^[\w\s.,:;()'-]*/.exec(text)![0])
}

/** What an operator may want to count or be woken by. Without secrets and emails; of the IP address the first half. */
export function logSecurityEvent(
  { requestId, ip }: { requestId: string; ip: string },
  event: string,
  details: { user?: string | undefined; limit?: string | undefined } = {},
): void {
  const network = ip.includes(':') ? ip.split(':').slice(0, 2).join(':') : ip.split('.').slice(0, 2).join('.')
  logEvent('info', event, { type: 'security', requestId, network, ...details })
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

/** `code` says what to look at: the database, a provider, or our own code. */
export function logError(level: Level, event: string, error: unknown, details: object): void {
  logEvent(level, event, { code: codeOf(error), ...details, ...describe(error) })
}

/** `outage`: the connection to the database failed. A batch then throws what `fetch` threw. */
export function codeOf(error: unknown, outage = false): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    const provider = /^(Stripe|Resend|Google|Pictures)\b/.exec(each.message)?.[1]?.toLowerCase()
    if (provider) return each instanceof ProviderError && each.final ? `${provider}-failed` : `${provider}-away`
    if (each instanceof ProviderError) return each.final ? 'provider-failed' : 'provider-away'
    if (isLibsqlError(each)) return databaseCode(each)
    if (isFailedQuery(each) && !isLibsqlError(each.cause)) return 'database-away'
  }
  return outage ? 'database-away' : 'bug'
}

/** Its class is for the store only. */
function isLibsqlError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && error.name === 'LibsqlError' && 'code' in error
}

function databaseCode({ code, message }: { code: string; message: string }): string {
  // What sqld says of a full disk, too.
  if (code.startsWith('SQLITE_FULL') || code.startsWith('SQLITE_IOERR')) return 'database-full'
  if (code.startsWith('SQLITE_BUSY')) return 'database-busy'
  if (/no such (table|column)|has no column/i.test(message)) return 'database-schema'
  // A request that the database could not read: half a character in it, or an argument that is none.
  const isOurs = /^(SQL|ARGS_)/.test(code) || /HTTP status (400|413)\b/.test(message)
  return isOurs ? 'bug' : 'database-away'
}

/** In one line, without the parameters of a query, addresses and client secrets. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return { message: clean(String(error)) }
  const { name, cause } = error
  return {
    name,
    // Drizzle's message has the parameters: hashes, addresses, user input.
    message: clean(isFailedQuery(error) ? `Failed query: ${error.query}` : error.message),
    ...(cause instanceof Error && { cause: clean(`${cause.name}: ${cause.message}`) }),
    stack: stackOf(error),
  }
}

function stackOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim())
    .join(' < ')
}

function clean(text: string): string {
  const line = text
    .replace(/[^\s@"'<>(]+@[^\s@"'<>)]+/g, '(address)')
    .replace(/_secret_\w+/g, '_secret_')
    .replace(/\s+/g, ' ')
  return cutText(line.trim(), 300)
}

function isFailedQuery(error: unknown): error is Error & { query: string } {
  return error instanceof Error && 'query' in error && 'params' in error
}
