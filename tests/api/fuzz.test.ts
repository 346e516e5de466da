import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { Campaign } from '../stress/fuzz/campaign'
import { addressShots, bodyShots, brokenShots, headerShots, mixedShots, type Shot } from '../stress/fuzz/fields'
import { aim } from '../stress/fuzz/targets'
import { byChance, values } from '../stress/fuzz/values'
import { pageShots, safeVerbs, verbShots } from '../stress/fuzz/verbs'
import { digest } from '../support/authorization-matrix'
import { test, type Shop } from '../support/shop'

/*
 * The API under requests that nobody means well by. Every run fires a part of them, chosen by the seed; `npm run fuzz` fires
 * them all, and then more by chance.
 */
const seed = Number(process.env.FUZZ_SEED ?? 1)
const seconds = Number(process.env.FUZZ_SECONDS ?? 10)
/** Only shots with this in their name: to fire one again. */
const only = process.env.FUZZ_ONLY ?? ''
const rounds = Number(process.env.FUZZ_ROUNDS ?? 0)

test(
  'no request breaks the API, whatever its fields, its address, its headers and its body',
  { timeout: (seconds + 120) * 1000 },
  async ({ shop }) => {
    const targets = await aim(shop)
    const shots = targets.flatMap((target) => [
      ...bodyShots(target, values),
      ...brokenShots(target),
      ...addressShots(target),
    ])
    const headers = ['GET /instruments', 'GET /instruments/{id}', 'POST /order', 'PUT /user/{email}']
    shots.push(...targets.filter(({ name }) => headers.includes(name)).flatMap(headerShots))
    for (let round = 0; round < rounds; round++) {
      const chance = byChance(seed + round, 60)
      shots.push(...targets.flatMap((target) => [...bodyShots(target, chance), ...mixedShots(target, chance)]))
    }
    await campaign(shop, 'fields', shuffled(shots), seconds)
  },
)

test(
  'no verb and no type of body breaks the API or a page, and what must have no effect has none',
  { timeout: (seconds + 120) * 1000 },
  async ({ shop }) => {
    const targets = await aim(shop)
    const browser = await shop.visitor().signIn(await shop.admin())
    const pages = pageShots(browser, shop.deps.origin)
    const before = await digest(shop)
    await campaign(shop, 'safe verbs', verbShots(targets, safeVerbs), seconds)
    expect(await digest(shop)).toEqual(before)
    await campaign(shop, 'verbs', shuffled([...verbShots(targets), ...pages]), seconds / 2)
  },
)

async function campaign(shop: Shop, name: string, shots: Shot[], limit: number): Promise<void> {
  const campaign = new Campaign()
  const until = Date.now() + limit * 1000
  const chosen = shots.filter(({ name }) => name.includes(only))
  // Those at one call are fired one after the other, or one's answer would be read back as another's; four go on at once.
  const calls = [...new Set(chosen.map(({ lane }) => lane))]
  const lanes = [0, 1, 2, 3].map((turn) => chosen.filter(({ lane }) => calls.indexOf(lane) % 4 === turn))
  let fired = 0
  await Promise.all(
    lanes.map(async (lane) => {
      for (const { fire } of lane) {
        if (Date.now() > until) break
        await fire(campaign)
        fired += 1
      }
    }),
  )
  const { requests, readBacks, statuses, slowest, faults } = campaign
  console.warn(
    `${name}: seed ${seed}, ${requests} requests (${fired} shots of ${chosen.length}), ${readBacks} read back, ` +
      `slowest ${Math.round(slowest)} ms, ${JSON.stringify(statuses)}, ${faults.length} faults`,
  )
  expect(faults).toEqual([])
  expect(await unsound(shop)).toEqual([])
}

/** What the database's own rules would not have: rows that point at nothing, stock that its audit log does not tell of. */
function unsound({ deps: { db } }: Shop) {
  return Promise.all([
    db.all(sql`PRAGMA foreign_key_check`),
    db.all(sql`SELECT i.id FROM instruments i
      WHERE available_quantity <> (SELECT coalesce(sum(stock_delta), 0) FROM audit_log WHERE instrument_id = i.id)`),
    db.all(sql`SELECT integrity_check AS fault FROM pragma_integrity_check WHERE integrity_check <> 'ok'`),
  ]).then((found) => found.flat())
}

/** In an order that the seed decides. */
function shuffled(shots: Shot[]): Shot[] {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const all = [...shots]
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[all[at], all[other]] = [all[other]!, all[at]!]
  }
  return all
}
