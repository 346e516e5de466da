import { sql } from 'drizzle-orm'
import { apiPaths } from '../../app/api/endpoints/index.server'
import { methods } from '../../app/api/endpoint.server'
import { apiSegments } from '../../app/http/api-paths'
import { addressee, cells, type Kind, type RequestParts, type Row } from '../support/authorization-cells'
import { digest, gatherActors, type Actor } from '../support/authorization-matrix'
import { isWhole } from '../support/depth'
import { expect, test, type Customer, type Shop } from '../support/shop'

const document = '/openapi.json'

test('has a row in the matrix for every API call', () => {
  const calls = apiPaths.flatMap(({ path, endpoints }) => Object.keys(endpoints).map((method) => `${method} ${path}`))
  expect(Object.keys(cells).sort()).toEqual(calls.sort())
  for (const { path, endpoints } of apiPaths) {
    for (const [method, { auth, scope }] of Object.entries(endpoints)) {
      expect(cells[`${method} ${path}`]!.who).toBe(auth)
      expect(cells[`${method} ${path}`]!.scope).toBe(scope)
    }
  }
})

const noCalls = [
  ...apiPaths.flatMap(({ path, endpoints }) =>
    methods
      .filter((method) => !endpoints[method])
      .map((method) => [method, path.replace(/\{\w+\}/, 'x'), 405] as const),
  ),
  ...methods.map((method) => [method, document, method === 'GET' ? 200 : 405] as const),
  ...apiSegments.flatMap((segment) => methods.map((method) => [method, `/${segment}/x/y/z`, 404] as const)),
]

/** One of each kind: a method that a path does not have is refused before anybody looks who calls, whoever it is. */
const callersOfNothing = ['anonymous', 'admin', 'cookie with proof', 'cookie without proof', 'key: all scopes']

/** Of those whom the shop does not know, who make every call also without `ALL_TESTS`. */
const strangersWithAllCalls = ['anonymous', 'forged token', 'key: forged']

test(
  'grants exactly what the matrix says, and changes nothing on a refusal',
  { timeout: 400_000 },
  async ({ shop }) => {
    const { actors, customer, other } = await gatherActors(shop)
    expect(actors.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...callersOfNothing, ...strangersWithAllCalls]),
    )
    // What they were sent goes out now: any write of the Worker would take it along.
    await shop.cron()
    const ofNobody: SharedParts = { owner: await shop.customer({ name: 'Dora' }), parts: new Map() }
    const wrong: string[] = []
    let cellCount = 0
    const look = async (actor: Actor, { name, method, path, expected, body }: Cell) => {
      const response = await actor.browser.fetch(path, {
        method,
        headers: {
          ...{ accept: 'application/json', 'idempotency-key': crypto.randomUUID() },
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...actor.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      cellCount += 1
      if (response.status !== expected)
        wrong.push(`${name}: ${response.status}, not ${expected}. ${text.slice(0, 200)}`)
      return text
    }
    const lookWithoutEffect = async (actor: Actor, some: Cell[]) => {
      await actor.browser.waitUntilIdle()
      const before = await digest(shop)
      const words = new Map<Cell, string>()
      for (const cell of some) words.set(cell, await look(actor, cell))
      await actor.browser.waitUntilIdle()
      const after = await digest(shop)
      const changed = Object.keys(after).filter((table) => after[table] !== before[table])
      if (changed.length > 0) wrong.push(`${actor.name}: a call without effect changed ${changed.join()}`)
      return words
    }

    for (const [index, actor] of actors.entries()) {
      const another = actor.another ?? (actor.self === customer ? other : customer)
      const calls: { call: string; cells: Cell[] }[] = []
      for (const [call, row] of callsOf(actor, index)) {
        calls.push({ call, cells: await cellsOf(shop, actor, another, call, row, ofNobody) })
      }
      const words = await lookWithoutEffect(actor, [
        ...calls.flatMap(({ cells }) => cells.filter(hasNoEffect)),
        ...(callersOfNothing.includes(actor.name) ? noCalls : []).map(([method, path, status]) => ({
          name: `${actor.name}: ${method} ${path}`,
          method,
          path,
          expected: actor.noOrigin && method !== 'GET' ? 403 : status,
        })),
      ])
      for (const { call, cells } of calls) {
        for (const cell of cells.filter((each) => !hasNoEffect(each))) await look(actor, cell)
        // A refusal must not reveal which addresses have an account.
        const [forAnother, forMissing] = (['another’s', 'missing'] as const).map((kind) =>
          words.get(cells.find((cell) => cell.kind === kind && hasNoEffect(cell))!),
        )
        if (call.includes('{email}') && actor.role !== 'admin' && forAnother !== forMissing) {
          wrong.push(`${actor.name}: ${call} tells an unknown address from another's`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(await findMismatches(shop)).toEqual([])
    console.warn(`cells: ${cellCount} as declared`)
  },
)

/**
 * What is wrong with a key or a token shows before anybody asks which call it is. Without `ALL_TESTS` each such caller makes every fifth call: together they make
 * all of them.
 */
function callsOf({ name, role, hasBadKey }: Actor, index: number): [string, Row][] {
  const isKnown = role !== 'nobody' && hasBadKey !== true
  const makesAll = isWhole || isKnown || strangersWithAllCalls.includes(name)
  return Object.entries(cells).filter((_call, nth) => makesAll || nth % 5 === index % 5)
}

interface Cell {
  name: string
  method: string
  path: string
  expected: number
  kind?: Kind
  body?: unknown
}

function hasNoEffect({ method, expected }: Cell): boolean {
  return expected >= 400 || method === 'GET'
}

/** What every refused actor asks for: objects of a customer who is none of them. To make them anew for each takes half of this test. */
interface SharedParts {
  owner: Customer
  parts: Map<string, Promise<RequestParts>>
}

async function cellsOf(
  shop: Shop,
  actor: Actor,
  another: Customer,
  call: string,
  row: Row,
  shared: SharedParts,
): Promise<Cell[]> {
  const [method = '', template = ''] = call.split(' ')
  const result: Cell[] = []
  for (const kind of Object.keys(row.objects) as Kind[]) {
    const expected = statusFor(actor, method, row, row.objects[kind]!)
    const partsOf = async (owner: Customer) =>
      row.makeRequest({ shop, kind, self: actor.self, another: owner, addressee: addressee(kind, actor, owner) })
    const sharedParts = () => {
      const parts = shared.parts.get(`${call}, ${kind}`) ?? partsOf(shared.owner)
      shared.parts.set(`${call}, ${kind}`, parts)
      return parts
    }
    const isForShared = [401, 403].includes(expected) && (kind === 'another’s' || kind === 'all' || kind === 'missing')
    const { id = '', query, body } = await (isForShared ? sharedParts() : partsOf(another))
    const path = template.replace(/\{\w+\}/, encodeURIComponent(id))
    result.push({
      name: `${actor.name}: ${call}, ${kind}`,
      method,
      path: query ? `${path}?${new URLSearchParams(query).toString()}` : path,
      expected,
      kind,
      body,
    })
  }
  return result
}

function statusFor(
  { role, byCookie, noOrigin, scopes, hasBadKey }: Actor,
  method: string,
  { who, scope, sessionOnly }: Pick<Row, 'who' | 'scope' | 'sessionOnly'>,
  [forCustomer, forAdmin]: readonly [number, number],
): number {
  if (noOrigin && method !== 'GET') return 403
  if (hasBadKey) return 401
  if (scopes && (!scope || !scopes.includes(scope))) return 403
  if (who === 'anyone') return forCustomer
  if (role === 'nobody' || (sessionOnly && !byCookie)) return 401
  return role === 'admin' ? forAdmin : forCustomer
}

function findMismatches({ deps: { db } }: Shop) {
  return db.all(sql`
    SELECT o.id FROM orders o JOIN users u ON u.id = o.customer_id WHERE o.customer_email <> u.email
    UNION ALL
    SELECT r.id FROM reviews r JOIN users u ON u.id = r.user_id WHERE r.name <> u.name`)
}
