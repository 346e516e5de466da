import { and, asc, inArray, notInArray, sql } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import type { Deps } from '../deps'
import { mostCompared } from './catalog'
import type { Instrument } from './instruments'
import { instrumentColumns, onSale } from './instruments.server'

const mostOthers = 12

export interface Compared {
  /** On sale, in the order of their ids. */
  instruments: Instrument[]
  /** Of the family of the first, while one more can be compared. */
  others: Pick<Instrument, 'id' | 'name'>[]
  /** More were asked for than fit. */
  isMore: boolean
}

/** The first four of these that are on sale. What is not is left out. */
export async function compareInstruments({ db, now }: Deps, asked: string[]): Promise<Compared> {
  const ids = [...new Set(asked.filter((id) => id !== ''))]
  const wanted = ids.slice(0, mostCompared)
  if (wanted.length === 0) return { instruments: [], others: [], isMore: false }
  const [rows, others] = await db.batch([
    db
      .select(instrumentColumns(now()))
      .from(instruments)
      .where(and(onSale, inArray(instruments.id, wanted))),
    db
      .select({ id: instruments.id, name: instruments.name })
      .from(instruments)
      .where(
        and(
          onSale,
          sql`family_slug = (SELECT family_slug FROM instruments WHERE id = ${wanted[0]})`,
          notInArray(instruments.id, wanted),
        ),
      )
      .orderBy(asc(instruments.listedAt), asc(instruments.id))
      .limit(mostOthers),
  ])
  const found = wanted.flatMap((id) => rows.filter((row) => row.id === id))
  const isFull = found.length === mostCompared
  return { instruments: found, others: isFull || found.length === 0 ? [] : others, isMore: ids.length > mostCompared }
}
