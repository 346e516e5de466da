import type { DatabaseAddress } from '../../dev/database'
import { FaultProxy } from '../../dev/fault-proxy'

export interface Statement {
  sql: string
  args?: unknown[]
  named_args?: { name: string; value: unknown }[]
  during: string
  /** Includes rows that triggers read. */
  rowsRead: number
}

interface PipelineRequest {
  type: string
  sql?: string
  sql_id?: number
  stmt?: WireStatement
  batch?: { steps: { stmt: WireStatement }[] }
}

type WireStatement = Pick<Statement, 'args' | 'named_args'> & { sql?: string; sql_id?: number }

interface Result {
  rows_read?: number
}

interface PipelineAnswer {
  results: { response?: { result?: Result & { step_results?: (Result | null)[] } } }[]
}

export class Recorder {
  readonly statements: Statement[] = []
  private during = ''

  private constructor(
    private readonly proxy: FaultProxy,
    readonly url: string,
  ) {}

  static async open(database: string): Promise<Recorder> {
    const proxy = new FaultProxy()
    const recorder = new Recorder(proxy, await proxy.open('database', () => database))
    proxy.onResponse = (_name, request, response) => recorder.read(request.toString(), response.toString())
    return recorder
  }

  next(during: string): void {
    this.during = during
  }

  stop(): void {
    this.proxy.close()
  }

  private read(request: string, response: string): void {
    const { requests } = JSON.parse(request || '{"requests":[]}') as { requests: PipelineRequest[] }
    const { results } = JSON.parse(response || '{"results":[]}') as PipelineAnswer
    const storedSql = new Map<number, string>()
    for (const [index, { type, sql, sql_id, stmt, batch }] of requests.entries()) {
      if (type === 'store_sql') storedSql.set(sql_id!, sql!)
      const result = results[index]?.response?.result
      const steps = batch?.steps.map((step) => step.stmt) ?? (stmt ? [stmt] : [])
      for (const [step, { sql = '', sql_id, ...params }] of steps.entries()) {
        const done = result?.step_results ? result.step_results[step] : result
        const text = sql_id === undefined ? sql : (storedSql.get(sql_id) ?? '')
        this.statements.push({ ...params, sql: text, during: this.during, rowsRead: done?.rows_read ?? 0 })
      }
    }
  }
}

export async function planOf(
  { url, authToken }: DatabaseAddress,
  { sql, args, named_args }: Statement,
): Promise<string[]> {
  const stmt = { sql: `EXPLAIN QUERY PLAN ${sql}`, args, named_args }
  const requests = [{ type: 'execute', stmt }, { type: 'close' }]
  const headers = { authorization: `Bearer ${authToken}` }
  const response = await fetch(`${url}/v2/pipeline`, { method: 'POST', headers, body: JSON.stringify({ requests }) })
  const { results } = await response.json<{ results: { response?: { result?: { rows: { value: string }[][] } } }[] }>()
  const rows = results[0]?.response?.result?.rows
  if (!rows) throw new Error(`No plan of ${sql}: ${JSON.stringify(results)}`)
  return rows.map((row) => row[3]!.value)
}
