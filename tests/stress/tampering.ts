import type { InArgs, InStatement, ResultSet } from '@libsql/client/web'
import type { Db } from '../../app/db/open.server'

interface Statement {
  sql: string
  args: InArgs
}

/** What may stand between the shop and its database: sees every call, and runs it, or not, or otherwise. */
export interface Between {
  /** The statement that is run in place of this one. */
  rewrite?: (statement: Statement) => Statement
  /** Runs one call of the database, which is a statement or a batch. */
  around?: <T>(call: { sql: string; writes: boolean }, run: () => Promise<T>) => Promise<T>
}

/** Puts something between the shop and its database: production code has no switches. */
export function tamper(db: Db, { rewrite = (statement) => statement, around = (_call, run) => run() }: Between): Db {
  const client = db.$client
  const execute: (statement: InStatement) => Promise<ResultSet> = client.execute.bind(client)
  const batch = client.batch.bind(client)
  client.execute = (given: InStatement | string) => {
    const statement = rewrite(plain(given))
    return around(callOf([statement]), () => execute(statement))
  }
  client.batch = (given, mode) => {
    const statements = given.map((one) => rewrite(plain(one)))
    return around(callOf(statements), () => batch(statements, mode))
  }
  return db
}

function plain(statement: InStatement | [string, InArgs?]): Statement {
  if (typeof statement === 'string') return { sql: statement, args: [] }
  if (Array.isArray(statement)) return { sql: statement[0], args: statement[1] ?? [] }
  return { sql: statement.sql, args: statement.args ?? [] }
}

function callOf(statements: Statement[]) {
  const sql = statements.map((statement) => statement.sql.trim().replace(/\s+/g, ' ')).join('; ')
  return { sql, writes: /\b(insert into|update|delete from)\b/i.test(sql) }
}
