import { sql, type SQL } from 'drizzle-orm'
import type { Deps } from '../deps'
import { limits, quarterHour } from '../shared/limits'
import { formatCents, minTotalCents } from '../shared/money'
import { rateLimited } from '../shared/rate-limit.server'
import { Refusal } from '../shared/refusal'
import type { DiscountTerms } from './discounts'

export type DiscountProblem = 'rate' | 'unknown' | 'early' | 'ended' | 'instrument' | 'used up' | 'used' | 'minimum'

/** SQL: the row of a code, as `d` for what follows. */
export const discountRow = (code: string) => sql`(SELECT * FROM discounts WHERE code = ${code}) d`

const keyOfAccount = (userId: SQL) => sql`'discount code:account:' || ${userId}`
const endOfWindow = ({ now }: Deps) => (Math.floor(now() / quarterHour) + 1) * quarterHour

function tries(deps: Deps, key: SQL): SQL {
  return sql`coalesce((SELECT count FROM rate_limits WHERE key = ${key} AND until = ${endOfWindow(deps)}), 0)`
}

/**
 * For the batch that tries or reads a code, before that: counts one that there is not against the customer and the IP address. A guess and
 * its count are one transaction, so guesses at the same time cannot pass the limit.
 */
export function countUnknownCode(deps: Deps, customerId: string | SQL, code: string) {
  const account = keyOfAccount(sql`u.id`)
  return deps.db.run(sql`
    INSERT INTO rate_limits (key, until, count)
    SELECT iif(k.ip, ${ipKey(deps)}, ${account}), ${endOfWindow(deps)}, 1 FROM users u, (SELECT 0 AS ip UNION ALL SELECT 1) k
    WHERE u.id = ${customerId} AND NOT EXISTS (SELECT 1 FROM discounts WHERE code = ${code})
      AND (NOT k.ip OR ${tries(deps, account)} < ${limits.unknownCodesOfAccount.max})
    ON CONFLICT (key, until) DO UPDATE SET count = count + 1`)
}

const ipKey = ({ ip }: Deps) => sql`${`discount code:ip:${ip}`}`

/**
 * SQL over `users u`, `instruments i` and `d`, which may be null: why the code does not count for this order, or null. The same expression
 * guards the insert and explains the refusal. `total`: of the order without the code, in cents;
 * null: not known yet. The orders that it replaces do not count. Above the limit of unknown codes a right one is refused too, or the limit would
 * not slow a search.
 */
export function discountProblem(
  deps: Deps,
  { total, replaceUnpaid }: { total?: SQL; replaceUnpaid?: boolean | undefined },
): SQL<DiscountProblem | null> {
  const at = deps.now()
  const stay = replaceUnpaid ? sql`AND NOT (state = 'unpaid' AND customer_id = u.id AND instrument_id = i.id)` : sql``
  const uses = sql`SELECT count(*) FROM orders WHERE discount_code = d.code AND state <> 'cancelled' ${stay}`
  return sql<DiscountProblem | null>`CASE
    WHEN ${tries(deps, keyOfAccount(sql`u.id`))} > ${limits.unknownCodesOfAccount.max}
      OR ${tries(deps, ipKey(deps))} > ${limits.unknownCodesFromIp.max} THEN 'rate'
    WHEN d.code IS NULL THEN 'unknown'
    WHEN d.ended_at IS NOT NULL OR d.until_at <= ${at} THEN 'ended'
    WHEN d.from_at > ${at} THEN 'early'
    WHEN d.instruments || d.families <> '[][]' AND i.id NOT IN (SELECT value FROM json_each(d.instruments))
      AND coalesce(i.family_slug, '') NOT IN (SELECT value FROM json_each(d.families)) THEN 'instrument'
    WHEN d.max_uses IS NOT NULL AND (${uses}) >= d.max_uses THEN 'used up'
    WHEN (${uses} AND customer_id = u.id) >= d.max_uses_per_customer THEN 'used'
    WHEN ${total ?? sql`NULL`} < d.min_total_cents THEN 'minimum'
  END`
}

/**
 * SQL over the same: what one piece costs with the code. `usual`: what it costs without, price breaks included. See `priceWithDiscount`.
 */
export function priceWithCode(usual: SQL, quantity: number): SQL {
  const base = sql`iif(d.combines, ${usual}, i.price_cents)`
  const off = sql`coalesce(d.amount_cents, (${base} * d.percent + 99) / 100)`
  return sql`min(${usual}, max(${base} - ${off}, ${Math.ceil(minTotalCents / quantity)}))`
}

export interface FoundDiscount extends DiscountTerms {
  problem: DiscountProblem | null
}

/** For a batch: the terms of the code, null if there are none, and why it does not count for this customer and instrument. */
export function selectDiscount(
  deps: Deps,
  customer: { id: string },
  { code, instrumentId, replaceUnpaid }: { code: string; instrumentId: string; replaceUnpaid?: boolean | undefined },
) {
  return deps.db.all<FoundDiscount>(sql`
    SELECT ${discountProblem(deps, { replaceUnpaid })} AS problem, d.code, d.percent, d.amount_cents AS amountCents,
      d.min_total_cents AS minTotalCents, d.combines
    FROM users u, instruments i LEFT JOIN ${discountRow(code)} ON true
    WHERE u.id = ${customer.id} AND i.id = ${instrumentId}`)
}

/** In the customer's words. `minimum`: the smallest order of the code, in cents. */
export function discountError(problem: DiscountProblem, minimum: number): Refusal {
  if (problem === 'rate') return rateLimited('You have tried too many codes that there are not.', quarterHour)
  const words: Record<typeof problem, string> = {
    unknown: 'There is no such code. Check the spelling, or leave it empty.',
    early: 'This code does not count yet.',
    ended: 'This code has ended.',
    instrument: 'This code is not for this instrument.',
    'used up': 'This code is used up.',
    used: 'You have used this code already.',
    minimum: `This code counts for orders of ${formatCents(minimum)} or more.`,
  }
  return new Refusal('invalid', '', { fields: { code: [words[problem]] } })
}
