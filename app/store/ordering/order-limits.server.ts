import { sql, type SQL } from 'drizzle-orm'
import type { Deps } from '../deps'
import { hashSecret } from '../shared/ids.server'
import { orderLimits, quarterHour, unverifiedIpLimits, unverifiedShare } from '../shared/limits'
import { rateLimited } from '../shared/rate-limit.server'
import { Refusal } from '../shared/refusal'

export type OrderLimit = 'rate' | 'orders' | 'pieces' | 'share' | 'ip'

interface Wanted {
  orderQuantity: number
  replaceUnpaid?: boolean | undefined
}

const { verified, unverified } = orderLimits

/**
 * SQL over `users u` and `instruments i`: the name of the limit that one more order would exceed, or null (R49). The
 * same expression guards the insert and explains the refusal. Orders that are replaced do not count.
 */
export async function exceededLimit(
  { now, ip }: Deps,
  { orderQuantity: quantity, replaceUnpaid }: Wanted,
): Promise<SQL<OrderLimit | null>> {
  const at = now()
  const ipHash = await hashSecret(ip)
  const isUnverified = sql`u.email_verified_at IS NULL`
  const limit = (name: 'unpaidOrders' | 'unpaidPieces' | 'ordersPerQuarterHour') =>
    sql`CASE WHEN ${isUnverified} THEN ${unverified[name]} ELSE ${verified[name]} END`
  const stays = replaceUnpaid ? sql`instrument_id <> i.id` : sql`true`
  const held = sql`FROM orders WHERE state = 'unpaid' AND customer_id = u.id`
  const pieces = sql`(SELECT coalesce(sum(quantity), 0) ${held} AND ${stays})`
  const ofInstrument = sql`(SELECT coalesce(sum(quantity), 0) ${held} AND instrument_id = i.id)`
  const ofInstrumentThatStay = replaceUnpaid ? sql`0` : ofInstrument
  const ofIp = (what: SQL) => sql`(SELECT ${what} FROM orders WHERE ip_hash = ${ipHash} AND state = 'unpaid')`
  return sql<OrderLimit | null>`CASE
    WHEN (SELECT count(*) FROM orders WHERE customer_id = u.id AND created_at > ${at - quarterHour}) >= ${limit('ordersPerQuarterHour')}
      THEN 'rate'
    WHEN (SELECT count(*) ${held} AND ${stays}) >= ${limit('unpaidOrders')} THEN 'orders'
    WHEN ${pieces} + ${quantity} > ${limit('unpaidPieces')} AND (${pieces} > 0 OR ${isUnverified} AND ${quantity} > i.min_quantity)
      THEN 'pieces'
    WHEN ${isUnverified} AND ${ofInstrumentThatStay} + ${quantity} > max(${unverifiedShare.pieces}, i.min_quantity,
      (i.available_quantity + ${ofInstrument}) * ${unverifiedShare.share}) THEN 'share'
    WHEN ${isUnverified} AND (${ofIp(sql`count(*)`)} >= ${unverifiedIpLimits.unpaidOrders}
      OR ${ofIp(sql`coalesce(sum(quantity), 0)`)} + ${quantity} > ${unverifiedIpLimits.unpaidPieces}
      OR (SELECT count(*) FROM orders WHERE ip_hash = ${ipHash} AND created_at > ${at - 4 * quarterHour}) >= ${unverifiedIpLimits.ordersPerHour})
      THEN 'ip'
  END`
}

/** In milliseconds; null: until it is paid or cancelled. */
export function holdOf({ holdMs }: Deps, { isVerified }: { isVerified: boolean }): number | null {
  const hold = Math.min(holdMs > 0 ? holdMs : Infinity, isVerified ? Infinity : unverified.holdMs)
  return hold === Infinity ? null : hold
}

/** SQL over `users u`: until when the order holds its pieces. A replacement holds them no longer than what it replaces. */
export function holdUntil(deps: Deps, at: number, replaced: SQL): SQL {
  const time = (isVerified: boolean) => {
    const ms = holdOf(deps, { isVerified })
    return ms === null ? null : at + ms
  }
  const hold = sql`CASE WHEN u.email_verified_at IS NULL THEN ${time(false)} ELSE ${time(true)} END`
  return sql`coalesce(min(${hold}, (SELECT min(hold_until) FROM orders WHERE ${replaced})), ${hold})`
}

/** SQL over `users u`: what counts the orders of unverified customers by IP address. */
export async function countedIp({ ip }: Deps): Promise<SQL> {
  return sql`CASE WHEN u.email_verified_at IS NULL THEN ${await hashSecret(ip)} END`
}

/** For the cron trigger: forgets IP addresses that count for no limit any more. */
export async function forgetIps({ db, now }: Deps): Promise<void> {
  await db.run(sql`
    UPDATE orders INDEXED BY orders_of_ip SET ip_hash = NULL
    WHERE ip_hash IS NOT NULL AND created_at <= ${now() - 4 * quarterHour} AND state <> 'unpaid'`)
}

export function limitError(limit: OrderLimit): Refusal {
  const verify = 'verify your email if you have not yet'
  switch (limit) {
    case 'rate':
      return rateLimited('You have placed too many orders in a short time.', quarterHour)
    case 'orders':
      return new Refusal('conflict', `You have too many unpaid orders. Pay or cancel one, or ${verify}.`)
    case 'pieces':
      return new Refusal(
        'conflict',
        `Your unpaid orders would have too many pieces. Pay or cancel one, order fewer, or ${verify}.`,
      )
    case 'share':
      return new Refusal('invalid', '', {
        fields: { orderQuantity: ['Verify your email to order more than half of what is available'] },
      })
    case 'ip':
      return new Refusal(
        'too-many',
        'Too many unpaid orders came from your network. Verify your email, or wait 15 minutes and try again.',
        { retryAfter: quarterHour / 1000 },
      )
  }
}
