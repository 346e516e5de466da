import type { InArgs, InStatement, ResultSet } from '@libsql/client/web'
import type { Db } from '../../app/db/open.server'

interface Statement {
  sql: string
  args: InArgs
}

export interface DatabaseHook {
  wrap: <T>(call: { sql: string; writes: boolean }, run: () => Promise<T>) => Promise<T>
}

/** Wraps the database client, so that production code needs no switches for tests. */
export function tamper(db: Db, { wrap }: DatabaseHook): Db {
  const client = db.$client
  const execute: (statement: InStatement) => Promise<ResultSet> = client.execute.bind(client)
  const batch = client.batch.bind(client)
  client.execute = (input: InStatement | string) => {
    const statement = plain(input)
    return wrap(callOf([statement]), () => execute(statement))
  }
  client.batch = (input, mode) => {
    const statements = input.map(plain)
    return wrap(callOf(statements), () => batch(statements, mode))
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
