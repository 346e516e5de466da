import type { Payments, PaymentState } from '../../../app/store/deps'
import type { TestEnvironment, Tampering } from '../../stress/test-environment'

export interface Planted {
  name: string
  /** Triggers and indexes that would stop the bug: dropped or rewritten first. */
  guards?: ((env: TestEnvironment) => Promise<void>)[]
  /** `onHit` records that the bug was reached. */
  worker?: (env: TestEnvironment, onHit: () => void) => Tampering
}

export function dropSchemaObject(kind: 'TRIGGER' | 'INDEX', name: string) {
  return (env: TestEnvironment) => env.sql({ sql: `DROP ${kind} ${name}` })
}

export function rewriteTrigger(name: string, from: string | RegExp, to: string) {
  return async (env: TestEnvironment) => {
    const [row] = await env.query(`SELECT sql FROM sqlite_schema WHERE name = '${name}'`)
    const before = String(row?.sql)
    const after = before.replace(from, to)
    if (after === before) throw new Error(`The trigger ${name} has no ${String(from)} to change`)
    await env.sql({ sql: `DROP TRIGGER ${name}` }, { sql: after })
  }
}

export function rewriteSql(begins: RegExp, from: string | RegExp, to: string, onHit: () => void): Tampering {
  return {
    db: {
      rewrite: ({ sql, args }) => {
        if (!begins.test(sql.trim())) return { sql, args }
        const changed = sql.replace(from, to)
        if (changed !== sql) onHit()
        return { sql: changed, args }
      },
    },
  }
}

export function alterState(alter: (state: PaymentState, id: string) => PaymentState | Promise<PaymentState>) {
  return (payments: Payments): Payments => ({
    ...payments,
    find: async (kind, id) => alter(await payments.find(kind, id), id),
    close: async (kind, id) => alter(await payments.close(kind, id), id),
  })
}
