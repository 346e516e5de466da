import { sql } from 'drizzle-orm'
import { Campaign } from '../stress/fuzz/campaign'
import { addressCases, bodyCases, brokenCases, headerCases, mixedCases, type FuzzCase } from '../stress/fuzz/fields'
import { makeTargets } from '../stress/fuzz/targets'
import { byChance, values } from '../stress/fuzz/values'
import { pageCases, safeVerbs, verbCases } from '../stress/fuzz/verbs'
import { digest } from '../support/authorization-matrix'
import { expect, test, type Shop } from '../support/shop'

/** Each run takes a part of the cases, chosen by FUZZ_SEED; `npm run check -- fuzz` runs all of them, and then random ones. */
const seed = Number(process.env.FUZZ_SEED ?? 1)
const seconds = Number(process.env.FUZZ_SECONDS ?? 10)
/** Runs only the cases with this in their name. */
const only = process.env.FUZZ_ONLY ?? ''
const rounds = Number(process.env.FUZZ_ROUNDS ?? 0)

test('survives fuzzed fields, URLs, headers and bodies', { timeout: (seconds + 120) * 1000 }, async ({ shop }) => {
  const targets = await makeTargets(shop)
  const cases = targets.flatMap((target) => [
    ...bodyCases(target, values),
    ...brokenCases(target),
    ...addressCases(target),
  ])
  const headers = ['GET /instruments', 'GET /instruments/{id}', 'POST /order', 'PUT /user/{email}']
  cases.push(...targets.filter(({ name }) => headers.includes(name)).flatMap(headerCases))
  for (let round = 0; round < rounds; round++) {
    const chance = byChance(seed + round, 60)
    cases.push(...targets.flatMap((target) => [...bodyCases(target, chance), ...mixedCases(target, chance)]))
  }
  await campaign(shop, 'fields', shuffled(cases), seconds)
})

test(
  'survives every method and content type, and keeps safe methods without effect',
  { timeout: (seconds + 120) * 1000 },
  async ({ shop }) => {
    const targets = await makeTargets(shop)
    const browser = await shop.visitor().signIn(await shop.admin())
    const pages = pageCases(browser, shop.deps.origin)
    const before = await digest(shop)
    await campaign(shop, 'safe verbs', verbCases(targets, safeVerbs), seconds)
    expect(await digest(shop)).toEqual(before)
    await campaign(shop, 'verbs', shuffled([...verbCases(targets), ...pages]), seconds / 2)
  },
)

async function campaign(shop: Shop, name: string, cases: FuzzCase[], limit: number): Promise<void> {
  const campaign = new Campaign()
  const until = Date.now() + limit * 1000
  const selected = cases.filter(({ name }) => name.includes(only))
  // Cases of one call run one after the other, because each reads back what it wrote.
  const calls = [...new Set(selected.map(({ group }) => group))]
  const groups = [0, 1, 2, 3].map((turn) => selected.filter(({ group }) => calls.indexOf(group) % 4 === turn))
  let ran = 0
  await Promise.all(
    groups.map(async (group) => {
      for (const { run } of group) {
        if (Date.now() > until) break
        await run(campaign)
        ran += 1
      }
    }),
  )
  const { requests, readBacks, statuses, slowest, faults } = campaign
  console.warn(
    `${name}: seed ${seed}, ${requests} requests (${ran} cases of ${selected.length}), ${readBacks} read back, ` +
      `slowest ${Math.round(slowest)} ms, ${JSON.stringify(statuses)}, ${faults.length} faults`,
  )
  expect(faults).toEqual([])
  expect(await findInconsistencies(shop)).toEqual([])
}

function findInconsistencies({ deps: { db } }: Shop) {
  return Promise.all([
    db.all(sql`PRAGMA foreign_key_check`),
    db.all(sql`SELECT i.id FROM instruments i
      WHERE available_quantity <> (SELECT coalesce(sum(stock_delta), 0) FROM audit_log WHERE instrument_id = i.id)`),
    db.all(sql`SELECT integrity_check AS fault FROM pragma_integrity_check WHERE integrity_check <> 'ok'`),
  ]).then((rows) => rows.flat())
}

function shuffled(cases: FuzzCase[]): FuzzCase[] {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const all = [...cases]
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[all[at], all[other]] = [all[other]!, all[at]!]
  }
  return all
}
