import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { auditLog, families, instruments } from '../../db/schema'
import type { Deps } from '../deps'
import { indexInstruments } from './search/index-instruments.server'
import { onSale } from './instruments.server'
import { maxFamilies } from '../shared/limits'
import { Refusal } from '../shared/refusal'
import { singleLine } from '../shared/validation.server'

const addressRule = 'An address has small letters, digits and hyphens, like folk-strings'

const details = {
  name: singleLine({ label: 'Name', required: 'Name is Required', max: 30 }),
  slug: z
    .string({ error: 'Address is Required' })
    .trim()
    .min(1, { error: 'Address is Required' })
    .max(40, { error: 'Address must be at most 40 characters' })
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: addressRule }),
  cases: z.literal('on').optional(),
}

export const FamilyForm = z.object(details)
export type FamilyForm = z.output<typeof FamilyForm>

const slug = z.string({ error: 'Choose a family' }).max(40)
const anchor = z.string().max(200).optional()

/** Of the list of families. `place`: the first is 0. */
export const FamilyCommand = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('add'), ...details }),
  z.object({ intent: z.literal('move'), slug, anchor, place: z.number().int().min(0).max(maxFamilies) }),
  z.object({ intent: z.enum(['hide', 'show']), slug, anchor }),
])

/** Of the page of one family. */
export const FamilyChange = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('save'), ...details, version: z.number().int() }),
  z.object({ intent: z.literal('delete') }),
])

export interface ManagedFamily {
  slug: string
  name: string
  hidden: number
  cases: number
  version: number
  /** Addresses that it had before. */
  former: string[]
  /** Products on sale. */
  products: number
}

const productsOnSale = sql<number>`(SELECT count(*) FROM instruments WHERE removed_at IS NULL AND family_slug = families.slug)`

function selectFamilies({ db }: Deps) {
  const { slug, name, hidden, cases, version, former } = families
  return db.select({ slug, name, hidden, cases, version, former, products: productsOnSale }).from(families)
}

/** All families in their order, hidden ones too: at most `maxFamilies`. */
export async function listFamilies(deps: Deps): Promise<ManagedFamily[]> {
  return selectFamilies(deps).orderBy(asc(families.position), asc(families.slug)).limit(maxFamilies)
}

/** Null if there is no family with this address. */
export async function findManagedFamily(deps: Deps, slug: string): Promise<ManagedFamily | null> {
  const [family] = await selectFamilies(deps).where(eq(families.slug, slug))
  return family ?? null
}

type Event = 'family added' | 'family changed' | 'family deleted'

/** Only if the statement before it in the batch changed a row. */
function logChange({ db, now }: Deps, admin: { id: string }, event: Event, note: string | SQL) {
  return db.run(sql`
    INSERT INTO audit_log (at, event, actor, note) SELECT ${now()}, ${event}, ${admin.id}, ${note} WHERE changes() = 1`)
}

/**
 * Adds a family, behind the others. Idempotent: the same name and address again add nothing. Refuses the address or the name of another
 * family, and more than `maxFamilies`.
 */
export async function addFamily(deps: Deps, admin: { id: string }, input: FamilyForm): Promise<void> {
  const { db } = deps
  const { slug, name } = input
  try {
    const [added] = await db.batch([
      db.run(sql`
        INSERT INTO families (slug, name, cases, position)
        SELECT ${slug}, ${name}, ${input.cases ? 1 : 0}, (SELECT coalesce(max(position), 0) + 1 FROM families)
        WHERE (SELECT count(*) FROM families) < ${maxFamilies}`),
      logChange(deps, admin, 'family added', `${name} (${slug})`),
      takeFromOthers(deps, slug),
    ])
    if (added.rowsAffected === 1) {
      deps.invalidate('settings')
      return
    }
  } catch (error) {
    if (!isBrokenRule(error)) throw error
  }
  const list = await listFamilies(deps)
  if (list.some((each) => each.slug === slug && each.name === name)) return
  throw takenBy(list, input) ?? new Refusal('conflict', `A shop may have at most ${maxFamilies} families.`)
}

/** The address of a family is no former one of another. */
function takeFromOthers({ db }: Deps, slug: string) {
  return db.run(sql`
    UPDATE families SET former = (SELECT json_group_array(value) FROM json_each(former) WHERE value <> ${slug})
    WHERE instr(former, json_quote(${slug})) AND EXISTS (SELECT 1 FROM families WHERE slug = ${slug})`)
}

function takenBy(others: ManagedFamily[], { slug, name }: FamilyForm): Refusal | null {
  const address = others.find((each) => each.slug === slug)
  const same = others.find((each) => each.name.toLowerCase() === name.toLowerCase())
  const fields = {
    ...(address && { slug: [`The family ${address.name} has this address`] }),
    ...(same && { name: [`There is a family ${same.name} already`] }),
  }
  return address || same ? new Refusal('conflict', '', { fields }) : null
}

/**
 * Changes name and address; the instruments keep the family, and the last three former addresses lead to the new one. Refuses the address
 * or the name of another family, and a family that somebody else has changed since the form was opened.
 */
export async function changeFamily(
  deps: Deps,
  admin: { id: string },
  slug: string,
  input: FamilyForm & { version: number },
): Promise<void> {
  const cases = input.cases ? 1 : 0
  const { db } = deps
  const note = sql`${slug} || ' → ' || ${`${input.name} (${input.slug})`}`
  const before = await findManagedFamily(deps, slug)
  if (!before) throw gone()
  const former = sql`(SELECT json_group_array(value) FROM (
    SELECT value FROM (SELECT ${slug} AS value, -1 AS key UNION ALL SELECT value, key FROM json_each(former))
    WHERE value <> ${input.slug} ORDER BY key LIMIT ${mostFormer}))`
  try {
    const [changed] = await db.batch([
      db
        .update(families)
        .set({ name: input.name, slug: input.slug, cases, former, version: sql`version + 1` })
        .where(sql`${families.slug} = ${slug} AND version = ${input.version}`),
      logChange(deps, admin, 'family changed', note),
      // The same: of a changed family alone.
      db.run(sql`
        UPDATE discounts SET families = replace(families, json_quote(${slug}), json_quote(${input.slug}))
        WHERE changes() = 1 AND instr(families, json_quote(${slug}))`),
      takeFromOthers(deps, input.slug),
      ...(before.name === input.name ? [] : indexInstruments(db, and(eq(instruments.family, input.slug), onSale)!)),
    ])
    if (changed.rowsAffected === 1) {
      deps.invalidate('settings')
      return
    }
  } catch (error) {
    if (!isBrokenRule(error)) throw error
  }
  const list = await listFamilies(deps)
  const now = list.find((each) => each.slug === slug)
  if (!now) throw gone()
  if (now.version !== input.version) {
    const message = 'Someone else changed this family while you were editing it. Save again to overwrite their changes.'
    throw new Refusal('conflict', '', { fields: { version: [message] } })
  }
  throw (
    takenBy(
      list.filter((each) => each !== now),
      input,
    ) ?? gone()
  )
}

const mostFormer = 3

function gone(): Refusal {
  return new Refusal('not-found', 'This family was deleted, or has another address now.')
}

/** Puts a family at a place of the list, from 0. Idempotent. */
export async function moveFamily(deps: Deps, admin: { id: string }, slug: string, place: number): Promise<string> {
  const list = await listFamilies(deps)
  const family = list.find((each) => each.slug === slug)
  if (!family) throw gone()
  if (list.indexOf(family) === place) return family.name
  const order = list.filter((each) => each !== family).toSpliced(place, 0, family)
  const slugs = JSON.stringify(order.map((each) => each.slug))
  await deps.db.batch([
    // One that somebody adds at the same time stays behind the others.
    deps.db.run(sql`
      UPDATE families SET position = coalesce((SELECT key FROM json_each(${slugs}) WHERE value = families.slug), position + ${maxFamilies})`),
    deps.db.insert(auditLog).values({
      ...{ at: deps.now(), event: 'family changed', actor: admin.id },
      note: `${family.name}: place ${order.indexOf(family) + 1}`,
    }),
  ])
  deps.invalidate('settings')
  return family.name
}

/** Hides a family or shows it again. Its instruments stay as they are. Idempotent; refuses to hide the last one that is shown. */
export async function setFamilyHidden(
  deps: Deps,
  admin: { id: string },
  slug: string,
  isHidden: boolean,
): Promise<string> {
  const hidden = isHidden ? 1 : 0
  const [, , [family]] = await deps.db.batch([
    deps.db
      .update(families)
      .set({ hidden })
      .where(sql`${families.slug} = ${slug} AND hidden <> ${hidden} AND (${hidden} = 0 OR ${isAnotherShown(slug)})`),
    logChange(deps, admin, 'family changed', `${slug}: ${isHidden ? 'hidden' : 'shown'}`),
    deps.db.select({ name: families.name, hidden: families.hidden }).from(families).where(eq(families.slug, slug)),
  ])
  if (!family) throw gone()
  if (family.hidden !== hidden) throw lastOne()
  deps.invalidate('settings')
  return family.name
}

function isAnotherShown(slug: string): SQL {
  return sql`EXISTS (SELECT 1 FROM families AS other WHERE other.slug <> ${slug} AND other.hidden = 0)`
}

function lastOne(): Refusal {
  return new Refusal('conflict', 'At least one family stays: show another one first.')
}

/** Deletes a family for good. Refuses one that a product has, deleted products included, and the last one that is shown. */
export async function deleteFamily(deps: Deps, admin: { id: string }, slug: string): Promise<string> {
  const { db } = deps
  try {
    const [[family], deleted] = await db.batch([
      db.select({ name: families.name }).from(families).where(eq(families.slug, slug)),
      db.delete(families).where(and(eq(families.slug, slug), isAnotherShown(slug))),
      logChange(deps, admin, 'family deleted', slug),
    ])
    if (!family) throw gone()
    if (deleted.rowsAffected === 0) throw lastOne()
    deps.invalidate('settings')
    return family.name
  } catch (error) {
    if (!isBrokenRule(error)) throw error
    throw await inUse(deps, slug)
  }
}

/** Names a product of the family, one on sale first. */
async function inUse({ db }: Deps, slug: string): Promise<Refusal> {
  const first = (condition: SQL | undefined) =>
    db
      .select({ name: instruments.name })
      .from(instruments)
      .where(and(eq(instruments.family, slug), condition))
      .limit(1)
  const [[sold], [other]] = await db.batch([first(onSale), first(undefined)])
  return new Refusal(
    'conflict',
    sold
      ? `Products are of this family, such as ${sold.name}. Give them another one first, or hide the family.`
      : `Hidden or deleted products are of this family, such as ${other?.name ?? 'one'}. Hide the family instead.`,
  )
}
