import { and, eq, lt, or, sql } from 'drizzle-orm'
import { rateLimits } from '../../db/schema'
import type { Deps } from '../deps'
import { Refusal } from './refusal'

export interface RateLimit {
  key: string
  max: number
  /** Milliseconds. */
  window: number
}

/** The /48 of an IPv6 address, which one customer of a provider may own whole; null for IPv4. */
export function networkOf(ip: string): string | null {
  return ip.includes(':') ? ip.split(':').slice(0, 3).join(':') : null
}

type Limit = Omit<RateLimit, 'key'>

/** The limit of an IP address and, of IPv6, the one of its network. */
export function ipLimits(name: string, ip: string, ofIp: Limit, ofNetwork: Limit): RateLimit[] {
  const network = networkOf(ip)
  const limits = [{ key: `${name}:ip:${ip}`, ...ofIp }]
  return network ? [...limits, { key: `${name}:network:${network}`, ...ofNetwork }] : limits
}

/**
 * Counts one attempt against each limit, in one batch, and refuses at the first exceeded one. Pass the narrowest limit
 * first: what exceeds it does not count against the wider ones, or one client could lock everybody out. Counts before it
 * compares, so parallel attempts cannot pass. `undo` removes the attempt from the count.
 */
export async function consumeRateLimit(
  deps: Deps,
  limits: RateLimit[],
  message = 'Too many attempts.',
): Promise<{ undo: Statement }> {
  const { statements, requireFree, undo } = prepareRateLimit(deps, limits, message)
  const [first, ...others] = statements
  requireFree(await deps.db.batch([first!, ...others]))
  return { undo }
}

/** The same for a batch that begins with `statements`; their results go to `requireFree`, which refuses. */
export function prepareRateLimit({ db, now }: Deps, limits: RateLimit[], message = 'Too many attempts.') {
  const at = now()
  const windows = limits.map((limit) => ({ ...limit, until: (Math.floor(at / limit.window) + 1) * limit.window }))
  const statements = windows.map(({ key, until }, index) => {
    const narrower = windows
      .slice(0, index)
      .map(
        (limit) =>
          sql`(SELECT count FROM rate_limits WHERE key = ${limit.key} AND until = ${limit.until}) <= ${limit.max}`,
      )
    return db.all<Count>(sql`
      INSERT INTO rate_limits (key, until, count) SELECT ${key}, ${until}, 1 WHERE ${sql.join([sql`true`, ...narrower], sql` AND `)}
      ON CONFLICT (key, until) DO UPDATE SET count = count + 1 RETURNING count`)
  })
  const matches = windows.map(({ key, until }) => and(eq(rateLimits.key, key), eq(rateLimits.until, until)))
  return {
    statements,
    requireFree(counts: Count[][]): void {
      const exceeded = windows.findIndex(({ max }, index) => (counts[index]?.[0]?.count ?? 0) > max)
      if (exceeded >= 0) throw rateLimited(message, windows[exceeded]!.until - at, windows[exceeded]!.key)
    },
    undo: db
      .update(rateLimits)
      .set({ count: sql`${rateLimits.count} - 1` })
      .where(or(...matches)),
  }
}

interface Count {
  count: number
}

type Statement = ReturnType<typeof prepareRateLimit>['undo']

/** Refuses a key that was used in the last day. */
export async function useOnce({ db, now }: Deps, key: string): Promise<void> {
  const inserted = await db.run(sql`
    INSERT INTO rate_limits (key, until, count) SELECT ${key}, ${now() + 24 * 60 * 60 * 1000}, 1
    WHERE NOT EXISTS (SELECT 1 FROM rate_limits WHERE key = ${key})`)
  if (inserted.rowsAffected === 0) throw new Refusal('conflict', 'This was already used.')
}

export async function deleteExpiredRateLimits({ db, now }: Deps): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.until, now()))
}

/** `wait` in milliseconds; `limit` is the key of the limit, for the caller and the log. */
export function rateLimited(message: string, wait: number, limit?: string): Refusal {
  return new Refusal('too-many', `${message} Please wait ${formatDuration(wait)} and try again.`, {
    retryAfter: Math.ceil(wait / 1000),
    limit,
  })
}

/** Rounded up: `1 minute`, `15 minutes`, `7 hours`. */
function formatDuration(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000)
  const [count, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
