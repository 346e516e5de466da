import { FaultProxy } from '../../dev/fault-proxy'

/** One statement as it went to the database, with what it was given, as libSQL's wire protocol writes both. */
export interface Statement {
  sql: string
  args?: unknown[]
  named_args?: { name: string; value: unknown }[]
  /** What the shop was doing at the time. */
  during: string
  /** How many rows the database looked at to carry it out, its triggers' included. */
  rowsRead: number
}

interface PipelineRequest {
  type: string
  sql?: string
  sql_id?: number
  stmt?: Sent
  batch?: { steps: { stmt: Sent }[] }
}

type Sent = Pick<Statement, 'args' | 'named_args'> & { sql?: string; sql_id?: number }

interface Result {
  rows_read?: number
}

interface PipelineAnswer {
  results: { response?: { result?: Result & { step_results?: (Result | null)[] } } }[]
}

/** Stands on the way to a database, and records what is asked of it. */
export class Recorder {
  readonly statements: Statement[] = []
  private during = ''

  private constructor(
    private readonly gate: FaultProxy,
    /** Where the database is asked to be recorded. */
    readonly url: string,
  ) {}

  static async open(database: string): Promise<Recorder> {
    const gate = new FaultProxy()
    const recorder = new Recorder(gate, await gate.door('database', () => database))
    gate.watch = (_name, request, answer) => recorder.read(request.toString(), answer.toString())
    return recorder
  }

  /** Names what is recorded from here on. */
  next(during: string): void {
    this.during = during
  }

  stop(): void {
    this.gate.close()
  }

  private read(request: string, answer: string): void {
    const { requests } = JSON.parse(request || '{"requests":[]}') as { requests: PipelineRequest[] }
    const { results } = JSON.parse(answer || '{"results":[]}') as PipelineAnswer
    const stored = new Map<number, string>()
    for (const [index, { type, sql, sql_id, stmt, batch }] of requests.entries()) {
      if (type === 'store_sql') stored.set(sql_id!, sql!)
      const result = results[index]?.response?.result
      const steps = batch?.steps.map((step) => step.stmt) ?? (stmt ? [stmt] : [])
      for (const [step, { sql = '', sql_id, ...given }] of steps.entries()) {
        const done = result?.step_results ? result.step_results[step] : result
        const text = sql_id === undefined ? sql : (stored.get(sql_id) ?? '')
        this.statements.push({ ...given, sql: text, during: this.during, rowsRead: done?.rows_read ?? 0 })
      }
    }
  }
}

/** The plan that the database at `url` makes for a statement, with what it was given. */
export async function planOf(url: string, { sql, args, named_args }: Statement): Promise<string[]> {
  const stmt = { sql: `EXPLAIN QUERY PLAN ${sql}`, args, named_args }
  const requests = [{ type: 'execute', stmt }, { type: 'close' }]
  const answer = await fetch(`${url}/v2/pipeline`, { method: 'POST', body: JSON.stringify({ requests }) })
  const { results } = await answer.json<{ results: { response?: { result?: { rows: { value: string }[][] } } }[] }>()
  const rows = results[0]?.response?.result?.rows
  if (!rows) throw new Error(`No plan of ${sql}: ${JSON.stringify(results)}`)
  return rows.map((row) => row[3]!.value)
}
