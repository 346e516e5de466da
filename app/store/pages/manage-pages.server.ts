import { and, asc, eq, isNotNull, ne, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { pages } from '../../db/schema'
import { formatTime } from '../shared/dates'
import type { Deps } from '../deps'
import { compareNames } from '../shared/folding'
import { idOf } from '../shared/ids.server'
import { Refusal } from '../shared/refusal'
import { multiLine, singleLine, submissionIdField } from '../shared/validation.server'
import { findMarkdownProblems } from './markdown.server'
import { footerWords, maxPages, maxPageText, underOwnTitle } from './pages'

const addressRule = 'An address has small letters, digits and hyphens, like terms-of-use'

const PageForm = z.object({
  title: singleLine({ label: 'Title', required: 'Title is Required', max: 100 }),
  slug: z
    .string({ error: 'Address is Required' })
    .trim()
    .min(1, { error: 'Address is Required' })
    .max(80, { error: 'Address must be at most 80 characters' })
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: addressRule }),
  body: multiLine({ label: 'Text', required: 'Text is Required', max: maxPageText }).superRefine((text, context) => {
    const problems = findMarkdownProblems(text)
    if (problems.length > 0) context.addIssue({ code: 'custom', message: problems.join(' ') })
  }),
  footer: z.enum(['', underOwnTitle, ...footerWords], { error: 'Choose a place of the list' }).default(''),
  intent: z.enum(['save', 'publish', 'withdraw', 'preview'], { error: 'Choose what to do' }),
  version: z.number().int().optional(),
  submissionId: submissionIdField.optional(),
})
const DeletePage = z.object({ intent: z.literal('delete') })

export const PageCommand = z.discriminatedUnion('intent', [PageForm, DeletePage], { error: 'Choose what to do' })
export type PageForm = z.output<typeof PageForm>

export interface ManagedPage {
  id: string
  slug: string
  title: string
  footer: string
  /** Counts its changes: a form that was opened before the latest one is refused. */
  version: number
  changedAt: number
  changedBy: string
  /** Milliseconds since 1970; null while it is not published. */
  publishedAt: number | null
  /** It was changed since it was published. */
  hasDraft: boolean
}

const managed = {
  id: pages.id,
  slug: pages.slug,
  title: pages.title,
  footer: pages.footer,
  version: pages.version,
  changedAt: pages.changedAt,
  changedBy: sql<string>`(SELECT name FROM users WHERE users.id = pages.changed_by)`,
  publishedAt: pages.publishedAt,
  hasDraft: sql<number>`coalesce(pages.published_title <> pages.title OR pages.published_body <> pages.body, 0)`,
}

const toManaged = <Row extends { hasDraft: number }>(row: Row): Omit<Row, 'hasDraft'> & { hasDraft: boolean } => ({
  ...row,
  hasDraft: row.hasDraft === 1,
})

/** All pages, drafts too, by title: at most `maxPages`. */
export async function listPages({ db }: Deps): Promise<ManagedPage[]> {
  const rows = await db.select(managed).from(pages).orderBy(asc(pages.id)).limit(maxPages)
  return rows.map(toManaged).sort((one, other) => compareNames(one.title, other.title))
}

/** A page as it is edited. Null if there is none. */
export async function findPage({ db }: Deps, id: string): Promise<(ManagedPage & { body: string }) | null> {
  const [page] = await db
    .select({ ...managed, body: pages.body })
    .from(pages)
    .where(eq(pages.id, id))
  return page ? toManaged(page) : null
}

const events = { save: 'page saved', publish: 'page published', withdraw: 'page withdrawn' } as const
type Change = Omit<PageForm, 'intent'> & { intent: keyof typeof events }

/**
 * Adds a page, as a draft or published at once. Idempotent by `submissionId` (R43). Refuses an address or a place in the footer that another
 * page has, and more than `maxPages`.
 */
export async function addPage(deps: Deps, admin: { id: string }, input: Change): Promise<{ id: string }> {
  const { db } = deps
  const at = deps.now()
  const id = (await idOf(`page:${admin.id}:${input.submissionId}`)).slice(0, 32)
  const { title, slug, body, footer } = input
  const [publishedTitle, publishedBody, publishedAt] =
    input.intent === 'publish' ? [title, body, at] : [null, null, null]
  try {
    const [added] = await db.batch([
      db.run(sql`
        INSERT INTO pages (id, slug, title, body, footer, changed_at, changed_by, published_title, published_body, published_at)
        SELECT ${id}, ${slug}, ${title}, ${body}, ${footer}, ${at}, ${admin.id}, ${publishedTitle}, ${publishedBody}, ${publishedAt}
        WHERE (SELECT count(*) FROM pages) < ${maxPages} AND NOT EXISTS (SELECT 1 FROM pages WHERE ${hasAddress(slug)})`),
      logChange(deps, admin, input),
    ])
    if (added.rowsAffected === 1) {
      if (input.intent === 'publish') deps.invalidate('pages')
      return { id }
    }
  } catch (error) {
    if (!isBrokenRule(error)) throw error
  }
  const [[same], count] = await Promise.all([
    db.select({ id: pages.id }).from(pages).where(eq(pages.id, id)),
    db.$count(pages),
  ])
  if (same) return { id }
  if (count >= maxPages) throw new Refusal('conflict', `A shop may have at most ${maxPages} pages.`)
  throw await takenBy(deps, id, input)
}

/** SQL: whether a page has this address, or had it. */
function hasAddress(slug: string): SQL {
  return sql`(pages.slug = ${slug} OR EXISTS (SELECT 1 FROM json_each(pages.former) AS old WHERE old.value = ${slug}))`
}

/** `changes() = 1`: only if the statement before it changed a row. */
function logChange({ db, now }: Deps, admin: { id: string }, { intent, title, slug }: Change) {
  return db.run(sql`
    INSERT INTO audit_log (at, event, actor, note)
    SELECT ${now()}, ${events[intent]}, ${admin.id}, ${`${title} /pages/${slug}`} WHERE changes() = 1`)
}

/**
 * Saves a page as a draft, publishes it or takes it back. An old address stays the page's. Refuses a page that somebody else has changed
 * since it was opened, and an address or a place that another page has.
 */
export async function changePage(deps: Deps, admin: { id: string }, id: string, input: Change): Promise<void> {
  const { db } = deps
  const at = deps.now()
  const { title, slug, body, footer, intent } = input
  const current = input.version ?? 0
  const next = current + 1
  const published = {
    save: {},
    publish: { publishedTitle: title, publishedBody: body, publishedAt: at },
    withdraw: { publishedTitle: null, publishedBody: null, publishedAt: null },
  }[intent]
  const isFree = sql`NOT EXISTS (SELECT 1 FROM pages WHERE id <> ${id} AND ${hasAddress(slug)})`
  const former = sql`(SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(former) UNION SELECT slug) WHERE value <> ${slug})`
  try {
    const [changed] = await db.batch([
      db
        .update(pages)
        .set({ title, slug, former, body, footer, version: next, changedAt: at, changedBy: admin.id, ...published })
        .where(and(eq(pages.id, id), eq(pages.version, current), isFree)),
      logChange(deps, admin, input),
    ])
    if (changed.rowsAffected === 1) {
      deps.invalidate('pages')
      return
    }
  } catch (error) {
    if (!isBrokenRule(error)) throw error
  }
  const found = await findPage(deps, id)
  if (!found) throw new Refusal('not-found', 'This page was deleted.')
  if (found.version !== current) throw editConflict(found)
  throw await takenBy(deps, id, input)
}

/** The text that was typed stays in the form. */
function editConflict({ changedBy, changedAt }: ManagedPage): Refusal {
  const message = `${changedBy} changed this page on ${formatTime(changedAt)}, while you were editing it. Your text is below and is not saved. Open the page in another tab to see theirs. Save again to put yours in its place.`
  return new Refusal('conflict', '', { fields: { version: [message] } })
}

async function takenBy({ db }: Deps, id: string, { slug, footer }: Change): Promise<Refusal> {
  const [[address], [place]] = await db.batch([
    db
      .select({ title: pages.title })
      .from(pages)
      .where(and(hasAddress(slug), ne(pages.id, id))),
    db
      .select({ title: pages.title })
      .from(pages)
      .where(and(eq(pages.footer, footer), ne(pages.id, id))),
  ])
  const fields = {
    ...(address && { slug: [`The page ${address.title} has or had this address`] }),
    ...(!address && place && { footer: [`The page ${place.title} stands there`] }),
  }
  return new Refusal('conflict', address || place ? '' : 'This page could not be saved. Try again.', { fields })
}

/** Deletes a page that is not published; its addresses are free again. Refuses a published one. */
export async function deletePage(deps: Deps, admin: { id: string }, id: string): Promise<void> {
  const { db } = deps
  const gone = and(eq(pages.id, id), sql`published_at IS NULL`)
  const [logged] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${deps.now()}, 'page deleted', ${admin.id}, title || ' /pages/' || slug FROM pages WHERE ${gone}`),
    db.delete(pages).where(gone),
  ])
  if (logged.rowsAffected === 0) throw new Refusal('conflict', 'Withdraw this page before you delete it.')
}

export interface PublicPage {
  slug: string
  title: string
  body: string
  publishedAt: number
}

/** The page that has or had this address. Null if there is none, or while it is not published. */
export async function findPublicPage({ db }: Deps, slug: string): Promise<PublicPage | null> {
  const [found] = await db
    .select({
      slug: pages.slug,
      title: sql<string>`published_title`,
      body: sql<string>`published_body`,
      publishedAt: sql<number>`published_at`,
    })
    .from(pages)
    .where(and(hasAddress(slug), isNotNull(pages.publishedAt)))
  return found ?? null
}
