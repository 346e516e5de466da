type Value =
  | { type: 'null' }
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }

interface StepResult {
  cols: { name: string }[]
  rows: Value[][]
}

interface Pipeline {
  results: (
    | {
        type: 'ok'
        response: { type: string; result?: { step_results: (StepResult | null)[]; step_errors: unknown[] } }
      }
    | { type: 'error'; error: { message: string } }
  )[]
}

export interface DatabaseAddress {
  url: string
  authToken: string
}

export type Row = Record<string, string | number | null>

/** One read transaction over Hrana 2 (HTTP), so that a bug in the shop's client cannot hide anything. */
export async function readAll<Name extends string>(
  { url, authToken }: DatabaseAddress,
  queries: Record<Name, string>,
): Promise<Record<Name, Row[]>> {
  const names = Object.keys(queries) as Name[]
  const statements = ['BEGIN', ...names.map((name) => queries[name]), 'COMMIT']
  const response = await fetch(`${url}/v2/pipeline`, {
    method: 'POST',
    headers: { authorization: `Bearer ${authToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      requests: [{ type: 'batch', batch: { steps: statements.map((sql) => ({ stmt: { sql } })) } }, { type: 'close' }],
    }),
  })
  if (!response.ok) throw new Error(`The database answered the checker ${response.status}: ${await response.text()}`)
  const {
    results: [batch],
  } = await response.json<Pipeline>()
  if (batch?.type !== 'ok') throw new Error(`The database refused the checker: ${batch?.error.message ?? 'no result'}`)
  const { step_results: results = [], step_errors: errors = [] } = batch.response.result ?? {}
  const refused = errors.findIndex((error) => error !== null)
  if (refused >= 0) throw new Error(`${statements[refused]}: ${JSON.stringify(errors[refused])}`)
  return Object.fromEntries(names.map((name, index) => [name, rowsOf(results[index + 1]!)])) as Record<Name, Row[]>
}

export async function readEach<Name extends string>(
  rowsOf: (query: string) => Promise<Row[]>,
  queries: Record<Name, string>,
): Promise<Record<Name, Row[]>> {
  const read = Object.entries<string>(queries).map(async ([name, query]) => [name, await rowsOf(query)] as const)
  return Object.fromEntries(await Promise.all(read)) as Record<Name, Row[]>
}

function rowsOf({ cols, rows }: StepResult): Row[] {
  return rows.map((row) => Object.fromEntries(cols.map(({ name }, index) => [name, valueOf(row[index]!)])))
}

function valueOf(value: Value): string | number | null {
  if (value.type === 'null') return null
  return value.type === 'integer' ? Number(value.value) : value.value
}
