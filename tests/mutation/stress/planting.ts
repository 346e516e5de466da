import type { Payments, PaymentState } from '../../../app/store/deps'
import type { TestEnvironment, Tampering } from '../../stress/test-environment'

/** A bug that somebody could write, and the walls that would have to fall for it to show. */
export interface Planted {
  name: string
  /** What the database would forbid: triggers and indexes that are taken away, or changed. */
  walls?: ((stand: TestEnvironment) => Promise<void>)[]
  /** How the worker behaves; `strike` says that the bug was hit. */
  worker?: (stand: TestEnvironment, strike: () => void) => Tampering
}

/** Takes a trigger or an index away. */
export function without(kind: 'TRIGGER' | 'INDEX', name: string) {
  return (stand: TestEnvironment) => stand.sql({ sql: `DROP ${kind} ${name}` })
}

/** Changes the text of a trigger. */
export function rewritten(name: string, from: string | RegExp, to: string) {
  return async (stand: TestEnvironment) => {
    const [row] = await stand.query(`SELECT sql FROM sqlite_schema WHERE name = '${name}'`)
    const before = String(row?.sql)
    const after = before.replace(from, to)
    if (after === before) throw new Error(`The trigger ${name} has no ${String(from)} to change`)
    await stand.sql({ sql: `DROP TRIGGER ${name}` }, { sql: after })
  }
}

/** A statement that begins so is run with other words. */
export function reworded(begins: RegExp, from: string | RegExp, to: string, strike: () => void): Tampering {
  return {
    db: {
      rewrite: ({ sql, args }) => {
        if (!begins.test(sql.trim())) return { sql, args }
        const changed = sql.replace(from, to)
        if (changed !== sql) strike()
        return { sql: changed, args }
      },
    },
  }
}

/** The provider, seen through a lie about what became of a payment. */
export function lying(lie: (found: PaymentState, id: string) => PaymentState | Promise<PaymentState>) {
  return (payments: Payments): Payments => ({
    ...payments,
    find: async (kind, id) => lie(await payments.find(kind, id), id),
    close: async (kind, id) => lie(await payments.close(kind, id), id),
  })
}
