import { and, asc, gt, sql } from 'drizzle-orm'
import { instruments } from '../../../db/schema'
import type { Deps } from '../../deps'
import { maxCopiedPictures } from '../../shared/limits'
import { Refusal } from '../../shared/refusal'
import { managed } from '../instruments.server'
import { placePictures, type Picture } from './picture-lists'
import { storePicture } from './pictures.server'

/** As many as a Worker has memory for. */
const atOnce = 3
/** Milliseconds: a product whose pictures were not begun by then waits for the next request. */
const patience = 15_000

interface Product {
  id: string
  name: string
  img: string
  alt: string
  pictures: Picture[]
  /** `pictures` as it is stored. */
  stored: string
}

/** A picture to copy. */
interface Elsewhere {
  product: Product
  img: string
  /** 1 is the first of its product. */
  place: number
}

export interface Copied {
  copied: number
  /** They keep their address. */
  failed: { id: string; name: string; place: number; why: string }[]
  /** The last product that was looked at; null: there are no more. */
  after: string | null
}

const isElsewhere = and(sql`(img LIKE 'https:%' OR pictures LIKE '%"img":"https:%')`, managed)

/** How many pictures of products on sale or hidden are at an address elsewhere. */
export async function countPicturesElsewhere({ db }: Pick<Deps, 'db'>): Promise<number> {
  const [row] = await db
    .select({
      count: sql<number>`coalesce(sum((img LIKE 'https:%') +
        (SELECT count(*) FROM json_each(pictures) WHERE value ->> 'img' LIKE 'https:%')), 0)`,
    })
    .from(instruments)
    .where(isElsewhere)
  return row!.count
}

/**
 * Fetches the pictures of the next products that have some elsewhere, in the order of their ids, and stores them as uploads are; each keeps
 * its place and its words. At most 20 in one call, since each costs some 20 of the 1,000 subrequests of a Worker; a product has them all in one
 * call. A picture that cannot be had, or is none, is returned with its reason, and stays where it is; those of a product whose pictures somebody
 * has changed meanwhile too. Records each product in the audit log. Idempotent.
 */
export async function copyPictures(deps: Deps, admin: { id: string }, after: string): Promise<Copied> {
  const { db, now } = deps
  const until = now() + patience
  const next: Product[] = await db
    .select({
      ...{ id: instruments.id, name: instruments.name, img: instruments.img, alt: instruments.alt },
      ...{ pictures: instruments.pictures, stored: sql<string>`pictures` },
    })
    .from(instruments)
    .where(and(isElsewhere, gt(instruments.id, after)))
    .orderBy(asc(instruments.id))
    .limit(maxCopiedPictures + 1)
  const taken = takeProducts(next)
  const waiting = taken.flatMap(picturesElsewhere)
  const copies = new Map<string, Promise<Copy>>()
  const done: (Elsewhere & { copy: Copy })[] = []
  // The first is never left for the next request, however late it is: that would end before it.
  let begun = taken[0]
  const copyNext = async () => {
    for (;;) {
      const [each] = waiting
      // Without an end, a product with many slow pictures would be begun again and again.
      if (each === undefined || (now() >= until && each.product !== begun)) return
      waiting.shift()
      begun = each.product
      const copy = copies.get(each.img) ?? copyOf(deps, each.img)
      copies.set(each.img, copy)
      done.push({ ...each, copy: await copy })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, copyNext))
  const addresses = new Map(done.flatMap(({ img, copy }) => ('address' in copy ? [[img, copy.address]] : [])))
  const last = waiting[0] ? taken[taken.indexOf(waiting[0].product) - 1] : taken.at(-1)
  return {
    copied: await replace(deps, admin, taken, addresses),
    failed: done.flatMap(({ product: { id, name }, place, copy }) =>
      'why' in copy ? [{ id, name, place, why: copy.why }] : [],
    ),
    after: last && (waiting.length > 0 || next.length > taken.length) ? last.id : null,
  }
}

/** As many whole products as have 20 pictures to copy. */
function takeProducts(products: Product[]): Product[] {
  let count = 0
  const end = products.findIndex((product) => (count += picturesElsewhere(product).length) > maxCopiedPictures)
  return end < 0 ? products.slice(0, maxCopiedPictures) : products.slice(0, end)
}

function picturesElsewhere(product: Product): Elsewhere[] {
  return [product.img, ...product.pictures.map(({ img }) => img)].flatMap((img, index) =>
    img.startsWith('https:') ? [{ product, img, place: index + 1 }] : [],
  )
}

type Copy = { address: string } | { why: string }

async function copyOf(deps: Deps, address: string): Promise<Copy> {
  const fetched = await deps.fetchPicture(address)
  if ('problem' in fetched) return { why: fetched.problem }
  try {
    return { address: await storePicture(deps, fetched.file) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { why: error.fields.picture?.[0] ?? error.message }
  }
}

/** How many pictures have new addresses. Products whose pictures are no longer those that were read stay as they are. */
async function replace(
  { db, now, invalidate }: Deps,
  admin: { id: string },
  products: Product[],
  addresses: Map<string, string>,
): Promise<number> {
  const copiedOf = (product: Product) => picturesElsewhere(product).filter(({ img }) => addresses.has(img)).length
  const rows = products
    .filter((product) => copiedOf(product) > 0)
    .map((product) => {
      const { id, img, alt, pictures, stored } = product
      const [first, ...further] = [{ img, alt }, ...pictures].map((picture) => ({
        ...picture,
        img: addresses.get(picture.img) ?? picture.img,
      }))
      // Two addresses may have led to one picture.
      const placed = placePictures(first!.img, [first!, ...further])
      const note = copiedOf(product) === 1 ? 'picture copied' : `${copiedOf(product)} pictures copied`
      return [id, img, stored, first!.img, JSON.stringify(placed.pictures), note]
    })
  if (rows.length === 0) return 0
  const copies = sql`(SELECT value ->> 0 AS id, value ->> 1 AS old, value ->> 2 AS old_pictures, value ->> 3 AS new,
    value ->> 4 AS new_pictures, value ->> 5 AS note FROM json_each(${JSON.stringify(rows)})) AS copy`
  const isSame = sql`instruments.id = copy.id AND instruments.img = copy.old AND instruments.pictures = copy.old_pictures AND ${managed}`
  const [, changed] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id, note)
      SELECT ${now()}, 'instrument changed', ${admin.id}, instruments.id, copy.note FROM ${copies} CROSS JOIN instruments
      WHERE ${isSame}`),
    db.all<{ id: string }>(sql`
      UPDATE instruments SET img = copy.new, pictures = copy.new_pictures, version = version + 1 FROM ${copies}
      WHERE ${isSame} RETURNING instruments.id AS id`),
  ])
  invalidate('catalogue')
  const ids = new Set(changed.map(({ id }) => id))
  return products.filter(({ id }) => ids.has(id)).reduce((sum, product) => sum + copiedOf(product), 0)
}
