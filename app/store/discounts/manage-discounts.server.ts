import { desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { discounts, instruments } from '../../db/schema'
import { requireMay, type Reader } from '../accounts/rights.server'
import { families as shopFamilies, familyName } from '../catalog/families'
import { onSale } from '../catalog/instruments.server'
import type { Deps } from '../deps'
import { endOfDay, readDay, startOfDay } from '../shared/dates'
import { centsFromText } from '../shared/money'
import { maxDiscountInstruments, maxDiscounts } from '../shared/limits'
import { pageOf, rowsFor } from '../shared/pagination'
import { afterCursor } from '../shared/pagination.server'
import { Refusal } from '../shared/refusal'
import { checkbox, quantityField } from '../shared/validation.server'
import { codePattern, discountWords, normalCode, type DiscountTerms } from './discounts'

const codeRule = 'A code has 3 to 30 letters, digits and hyphens, like SPRING-10'

/** Blank: null. */
function optionalText<T>(read: (text: string) => T | null | undefined, error: string) {
  return z
    .string()
    .optional()
    .transform((text, { addIssue }): T | null => {
      if (!text?.trim()) return null
      const value = read(text.trim())
      if (value !== null && value !== undefined) return value
      addIssue(error)
      return z.NEVER
    })
}

const dollars = optionalText((text) => {
  const cents = centsFromText(text)
  return cents !== null && cents > 0 && cents < 100_000_000 ? cents : null
}, 'Must be an amount from 0.01 to 999,999.99, like 25.00')
const dayField = optionalText(readDay, 'Must be a day, like 2026-12-31')

/** The form of a new code. `until`: the last day of the shop on which it counts. */
export const NewDiscount = z
  .object({
    act: z.literal('make'),
    code: z
      .string({ error: codeRule })
      .transform(normalCode)
      .pipe(z.string().regex(codePattern, { error: codeRule })),
    percent: z.number().int().min(1).max(100, { error: 'Percent must be a whole number from 1 to 100' }).optional(),
    amount: dollars,
    from: dayField,
    until: dayField,
    minTotal: dollars,
    maxUses: quantityField('Uses', 1).optional(),
    maxUsesPerCustomer: quantityField('Uses of each customer', 1).optional(),
    families: z.array(z.string().max(40)).max(20).optional(),
    /** Names, one a line. */
    instruments: z.string().max(10_000).optional(),
    combines: checkbox,
  })
  .superRefine(({ percent, amount, from, until }, { addIssue }) => {
    if ((percent === undefined) === (amount === null))
      addIssue({ code: 'custom', path: ['percent'], message: 'Give either a percentage or an amount' })
    if (from !== null && until !== null && until < from)
      addIssue({ code: 'custom', path: ['until'], message: 'The last day is before the first' })
  })
export type NewDiscount = z.output<typeof NewDiscount>

/** Times in milliseconds since 1970. `instruments`: their names. */
export interface Discount extends DiscountTerms {
  fromAt: number
  untilAt: number | null
  maxUses: number | null
  maxUsesPerCustomer: number | null
  instruments: string[]
  families: string[]
  /** Orders that are not cancelled. */
  uses: number
  endedAt: number | null
  state: 'early' | 'on' | 'used up' | 'ended'
}

/** `verifyRows` compares them with the row. */
const terms = sql`json_array('discount code', code, percent, amount_cents, from_at, until_at, min_total_cents, max_uses,
  max_uses_per_customer, instruments, combines, created_at)`

/**
 * Makes a code, which counts from today on if no day is given. Its terms never change. Recorded in the audit log. For admins. Refuses a code that there
 * was before, names that are not on sale or not of one instrument, a family that the shop has not, and more than `maxDiscounts` codes that have not ended.
 */
export async function createDiscount(deps: Deps, admin: Reader & { id: string }, input: NewDiscount): Promise<string> {
  requireMay(admin, 'shop')
  const { db, now } = deps
  const at = now()
  const ids = await idsOf(deps, input.instruments ?? '')
  const fromAt = input.from ?? startOfDay(at)
  const untilAt = input.until === null ? null : endOfDay(input.until)
  if (untilAt !== null && untilAt <= Math.max(at, fromAt)) throw wrong('until', 'This day is over')
  const { code, percent = null, amount: amountCents, families = [] } = input
  if (!families.every((slug) => shopFamilies.some((each) => each.slug === slug)))
    throw new Refusal('conflict', 'The shop has no such family. Choose again.')
  const [minTotalCents, combines] = [input.minTotal ?? 0, input.combines ? 1 : 0]
  const note = `${code}: ${discountWords({ code, percent, amountCents, minTotalCents, combines })}`
  try {
    const [added] = await db.batch([
      db.run(sql`
        INSERT INTO discounts (code, percent, amount_cents, from_at, until_at, min_total_cents, max_uses, max_uses_per_customer,
          instruments, families, combines, created_at)
        SELECT ${code}, ${percent}, ${amountCents}, ${fromAt}, ${untilAt}, ${minTotalCents}, ${input.maxUses ?? null},
          ${input.maxUsesPerCustomer ?? null}, ${JSON.stringify(ids)}, ${JSON.stringify(families)}, ${combines}, ${at}
        WHERE EXISTS (SELECT 1 FROM users WHERE id = ${admin.id} AND role = 'admin')
          AND (SELECT count(*) FROM discounts WHERE ended_at IS NULL AND coalesce(until_at > ${at}, 1)) < ${maxDiscounts}`),
      db.run(sql`
        INSERT INTO audit_log (at, event, actor, note, submission_id)
        SELECT ${at}, 'discount code made', ${admin.id}, ${note}, ${terms}
        FROM discounts WHERE code = ${code} AND changes() = 1`),
    ])
    if (added.rowsAffected === 0) throw new Refusal('conflict', `The shop has ${maxDiscounts} codes. End one first.`)
  } catch (error) {
    if (!isBrokenRule(error)) throw error
    throw wrong('code', `There is a code ${code} already. A code is used once: choose another one.`)
  }
  return code
}

function wrong(field: string, message: string): Refusal {
  return new Refusal('conflict', '', { fields: { [field]: [message] } })
}

/** Of the instruments on sale with these names, one a line. */
async function idsOf({ db }: Deps, text: string): Promise<string[]> {
  const names = [...new Set(text.split('\n').map((line) => line.trim()))].filter((name) => name !== '')
  if (names.length === 0) return []
  if (names.length > maxDiscountInstruments)
    throw wrong('instruments', `At most ${maxDiscountInstruments} instruments: choose a family for more`)
  const rows = await db
    .select({ id: instruments.id, name: instruments.name })
    .from(instruments)
    .where(sql`${onSale} AND ${instruments.name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`)
  const unknown = names.filter((name) => rows.filter((row) => row.name === name).length !== 1)
  if (unknown.length > 0) throw wrong('instruments', `Not the name of one instrument on sale: ${unknown.join(', ')}`)
  return rows.map(({ id }) => id)
}

/** For admins: newest first; `before` is the cursor. */
export async function listDiscounts(
  { db, now }: Deps,
  reader: Reader,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<{ discounts: Discount[]; next: string | null }> {
  requireMay(reader, 'shop')
  const at = now()
  const names = sql<string>`(SELECT json_group_array(instruments.name) FROM instruments
    WHERE instruments.id IN (SELECT value FROM json_each(discounts.instruments)))`
  const uses = sql<number>`(SELECT count(*) FROM orders WHERE discount_code = discounts.code AND state <> 'cancelled')`
  const rows = await db
    .select({ discount: discounts, id: discounts.code, names, uses })
    .from(discounts)
    .where(afterCursor([discounts.createdAt, discounts.code], '<', before))
    .orderBy(desc(discounts.createdAt), desc(discounts.code))
    .limit(rowsFor(limit))
  const { page, next } = pageOf(rows, limit)
  return {
    discounts: page.map(({ discount, names: json, uses }) => ({
      ...discount,
      uses,
      instruments: JSON.parse(json) as string[],
      families: discount.families.map((slug) => familyName(slug) || slug),
      state: stateOf({ ...discount, uses }, at),
    })),
    next,
  }
}

function stateOf(
  { fromAt, untilAt, endedAt, uses, maxUses }: Pick<Discount, 'fromAt' | 'untilAt' | 'endedAt' | 'uses' | 'maxUses'>,
  at: number,
): Discount['state'] {
  if (endedAt !== null || (untilAt !== null && untilAt <= at)) return 'ended'
  if (maxUses !== null && uses >= maxUses) return 'used up'
  return fromAt > at ? 'early' : 'on'
}

/** Ends a code at once: orders that have it keep their price. For admins; recorded; idempotent. */
export async function endDiscount({ db, now }: Deps, admin: Reader & { id: string }, code: string): Promise<void> {
  requireMay(admin, 'shop')
  const at = now()
  const [found] = await db.batch([
    db.select({ code: discounts.code }).from(discounts).where(eq(discounts.code, code)),
    db.run(sql`UPDATE discounts SET ended_at = ${at} WHERE code = ${code} AND ended_at IS NULL`),
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note, submission_id)
      SELECT ${at}, 'discount code ended', ${admin.id}, ${code}, json_array('discount code ended', ${code}) WHERE changes() = 1`),
  ])
  if (found.length === 0) throw new Refusal('not-found', 'There is no such code.')
}
