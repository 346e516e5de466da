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
  baton: string | null
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

/** Rows in one answer: the server refuses to make one of more than 10 MB. */
const pageSize = 5_000

/** One read transaction over Hrana 2 (HTTP), so that a bug in the shop's client cannot hide anything. */
export async function readAll<Name extends string>(
  database: DatabaseAddress,
  queries: Record<Name, string>,
): Promise<Record<Name, Row[]>> {
  const names = Object.keys(queries) as Name[]
  const all = Object.fromEntries(names.map((name) => [name, [] as Row[]])) as Record<Name, Row[]>
  let baton: string | null = null
  let left = names
  for (let offset = 0; left.length > 0; offset += pageSize) {
    const pages = left.map((name) => `SELECT * FROM (${queries[name]}) LIMIT ${pageSize} OFFSET ${offset}`)
    const answer: Answer = await runBatch(database, baton, [...(baton ? [] : ['BEGIN']), ...pages])
    const found = answer.results.slice(-left.length).map(rowsOf)
    for (const [index, name] of left.entries()) all[name].push(...found[index]!)
    left = left.filter((_, index) => found[index]!.length === pageSize)
    baton = answer.baton
  }
  await send(database, { baton, requests: [{ type: 'close' }] })
  return all
}

interface Answer {
  baton: string | null
  results: StepResult[]
}

async function runBatch(database: DatabaseAddress, baton: string | null, statements: string[]): Promise<Answer> {
  const steps = statements.map((sql) => ({ stmt: { sql } }))
  const { results, ...answer } = await send(database, { baton, requests: [{ type: 'batch', batch: { steps } }] })
  const [batch] = results
  if (batch?.type !== 'ok') throw new Error(`The database refused the checker: ${batch?.error.message ?? 'no result'}`)
  const { step_results: found = [], step_errors: errors = [] } = batch.response.result ?? {}
  const refused = errors.findIndex((error) => error !== null)
  if (refused >= 0) throw new Error(`${statements[refused]}: ${JSON.stringify(errors[refused])}`)
  return { baton: answer.baton, results: found as StepResult[] }
}

async function send({ url, authToken }: DatabaseAddress, body: object): Promise<Pipeline> {
  const response = await fetch(`${url}/v2/pipeline`, {
    method: 'POST',
    headers: { authorization: `Bearer ${authToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`The database answered the checker ${response.status}: ${await response.text()}`)
  return response.json<Pipeline>()
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
