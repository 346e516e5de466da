import type { BatchItem } from 'drizzle-orm/batch'
import type { Deps } from '../deps'

type Statement = BatchItem<'sqlite'>
type Result<S extends Statement> = S['_']['result']
type Results<S extends Statement[]> = { [I in keyof S]: Result<S[I]> }

/** Statements for a batch of their own, or for one that somebody else needs anyway, and what their results mean. */
export interface BatchPart<T> {
  run(deps: Pick<Deps, 'db'>): Promise<T>
  /** In one batch with `other`, which comes after the first: a batch must begin with its write. */
  runWith<Other extends Statement>(deps: Pick<Deps, 'db'>, other: Other): Promise<[T, Result<Other>]>
}

/** Only the first statement may write. */
export function batchPart<First extends Statement, Others extends Statement[], T>(
  [first, ...others]: readonly [First, ...Others],
  read: (...results: [Result<First>, ...Results<Others>]) => T,
): BatchPart<T> {
  return {
    async run({ db }) {
      return read(...(await db.batch([first, ...others])))
    },
    async runWith({ db }, other) {
      const [result, ofOther, ...results] = await db.batch([first, other, ...others])
      return [read(result, ...results), ofOther]
    },
  }
}
