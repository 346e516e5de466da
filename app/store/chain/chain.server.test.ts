import { eq, sql } from 'drizzle-orm'
import { aPaidOrder, anOrder, cancelBehindItsBack } from '../../../tests/support/payments'
import { expect, test, type Store } from '../../../tests/support/store'
import { orders } from '../../db/schema'
import { deliverPendingEmails } from '../operations/deliver-email.server'
import { newId } from '../shared/ids.server'
import { limits } from '../shared/limits'
import { shipOrder } from '../orders/manage-order.server'
import { readReceipt } from '../orders/receipts/receipts.server'
import { refundOrder } from '../payments/order-refunds.server'
import { refundPayment } from '../payments/refunds.server'
import { runScheduledTasks } from '../operations/scheduled-tasks.server'
import { formatCode, parseCode, parseHash, verifyPath } from './codes'
import { findHead, makeLinks, sealEvents, selectCode, selectUnsealed } from './seal.server'
import { verifyChain } from './verify-chain.server'
import { verifyReceipt } from './verify-receipt.server'

interface Link {
  position: number
  event_id: number
  hash: string
}

const linksOf = ({ deps }: Store) => deps.db.all<Link>(sql`SELECT * FROM chain_links ORDER BY position`)

async function findingsOf({ deps }: Store, head?: string) {
  const findings: string[] = []
  const report = await verifyChain(deps, (finding) => findings.push(finding), head)
  return { findings, ...report }
}

async function codeOf({ deps }: Store, orderId: string): Promise<string> {
  const [link] = await selectCode(deps.db, orderId)
  return link!.code
}

/** As somebody who has the database in their hands. */
async function dropGuards({ deps: { db } }: Store): Promise<void> {
  const triggers = await db.all<{ name: string }>(sql`SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
  for (const { name } of triggers) await db.run(sql.raw(`DROP TRIGGER "${name}"`))
  for (const pragma of ['foreign_keys = OFF', 'ignore_check_constraints = ON'])
    await db.run(sql.raw(`PRAGMA ${pragma}`))
}

/** A shipped order with a refund, a cancelled one whose payment came too late, and an unpaid one. */
async function busyShop(shop: Store) {
  const admin = await shop.admin()
  const { id, customer, transactionId } = await aPaidOrder(shop)
  await refundOrder(shop.deps, admin, id, { submissionId: newId(), amount: 100_00, reason: 'Dent', restock: 1 })
  await shipOrder(shop.deps, admin, id)
  const late = await anOrder(shop)
  await cancelBehindItsBack(shop, late.id)
  await shop.deps.db.run(sql`
    INSERT INTO audit_log (at, event, actor, order_id, note) VALUES (5, 'refund owed', 'stripe', ${late.id}, 'pi_late')`)
  await shop.deps.db.run(sql`
    INSERT INTO refunds (transaction_id, order_id, amount_cents, created_at) VALUES ('pi_late', ${late.id}, 50000, 5)`)
  await shop.deps.db.run(sql`UPDATE refunds SET refund_id = 're_late', made_at = 6 WHERE transaction_id = 'pi_late'`)
  await anOrder(shop)
  await sealEvents(shop.deps)
  return { id, customer, transactionId, late: late.id, code: await codeOf(shop, id) }
}

test('reads a code however it is typed', ({ shop }) => {
  shop.skipInvariants('no shop is needed')
  const code = '0123456789ABCDEFGHJKMNPQR'
  const typed = [code, formatCode(code), ' o l234-56789 abcde–fghjk mnpqr ', `https://shop.example${verifyPath(code)}`]
  expect(typed.map(parseCode)).toEqual(typed.map(() => code))
  for (const wrong of ['', code.slice(1), `${code}0`, code.replace('R', 'U'), code.replace('R', 'É'), '💥'])
    expect([wrong, parseCode(wrong)]).toEqual([wrong, null])
  expect([parseHash(`${code}STVW`), parseHash(code.slice(1))]).toEqual([`${code}STVW`, null])
})

test('gives each event one link, whatever seals at once', async ({ shop }) => {
  for (let orders = 0; orders < 3; orders++) {
    await aPaidOrder(shop)
    await Promise.all([1, 2, 3, 4].map(() => sealEvents(shop.deps)))
  }
  const events = await shop.deps.db.all<{ id: number }>(sql`SELECT id FROM audit_log ORDER BY id`)
  const links = await linksOf(shop)
  expect(links.map(({ position, event_id: event }) => [position, event])).toEqual(
    events.map(({ id }, at) => [at + 1, id]),
  )
  expect(await findHead(shop.deps)).toMatchObject({ position: links.length, hash: links.at(-1)!.hash })
  expect(await findingsOf(shop)).toMatchObject({ findings: [], waiting: 0, links: links.length, orders: 3 })
})

test('reads again when another Worker has sealed first', async ({ shop }) => {
  await anOrder(shop)
  const { db } = shop.deps
  let isFirst = true
  const slow = new Proxy(db, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return async (...given: unknown[]) => {
        if (key === 'run' && isFirst) {
          isFirst = false
          await sealEvents(shop.deps)
          await anOrder(shop)
        }
        return value.apply(target, given) as unknown
      }
    },
  })
  await sealEvents({ ...shop.deps, db: slow })
  expect(await findingsOf(shop)).toMatchObject({ findings: [], waiting: 0 })
})

test('appends only to the link that it has read, and seals old events in pieces', async ({ shop }) => {
  await sealEvents(shop.deps)
  const insert = (values: string) => shop.deps.db.run(sql.raw(`INSERT OR REPLACE INTO chain_links VALUES (${values})`))
  const hash = 'A'.repeat(52)
  await anOrder(shop)
  const [next] = await shop.deps.db.all<{ id: number }>(sql`SELECT min(id) AS id FROM audit_log`)
  for (const values of [
    `2, ${next!.id}, '${hash}', NULL`,
    `1, ${next!.id + 1}, '${hash}', NULL`,
    `1, ${next!.id}, 'A', NULL`,
  ])
    await expect(insert(values)).rejects.toThrow()
  await shop.deps.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO audit_log (at, event, actor, note) SELECT i, 'shop emails changed', 'test', 'none' FROM n`)
  await sealEvents(shop.deps)
  expect(await findHead(shop.deps)).toMatchObject({ position: 500 })
  await expect(shop.deps.db.run(sql`UPDATE chain_links SET hash = ${hash}`)).rejects.toThrow()
  await expect(shop.deps.db.run(sql`DELETE FROM chain_links`)).rejects.toThrow()
  await runScheduledTasks(shop.deps)
  // The first run stores the seller, which is an event, too.
  await sealEvents(shop.deps)
  expect(await findingsOf(shop)).toMatchObject({ findings: [], waiting: 0, links: 1203 })
})

test('appends nothing to a link that it has not made', async ({ shop }) => {
  await anOrder(shop)
  await sealEvents(shop.deps)
  await anOrder(shop)
  const events = await selectUnsealed(shop.deps.db)
  const others = await makeLinks(events.map((event) => ({ ...event, headHash: 'A'.repeat(52) })))
  expect((await shop.deps.db.run(others.insertion)).rowsAffected).toBe(0)
  const own = await makeLinks(events)
  expect((await shop.deps.db.run(own.insertion)).rowsAffected).toBe(events.length)
})

test('proves a receipt to whoever holds it, and says nothing of a person', async ({ shop }) => {
  const { id, customer } = await aPaidOrder(shop)
  const receipt = await readReceipt(shop.deps, { ...customer, role: 'customer' } as never, id)
  const code = await codeOf(shop, id)
  expect(receipt?.lines.slice(-2)).toEqual([
    ['Receipt code', formatCode(code)],
    ['Check it at', `${shop.deps.origin}/verify/${formatCode(code)}`],
  ])
  await deliverPendingEmails(shop.deps)
  const messages = await shop.emailsTo(customer.email)
  const withCode = messages.filter(({ text }) => text.includes(formatCode(code))).map(({ subject }) => subject)
  expect(withCode).toEqual(['Receipt: C-1001, 2 × Concert Violin'])

  const admin = await shop.admin()
  await refundOrder(shop.deps, admin, id, { submissionId: newId(), amount: 100_00, reason: 'Dent' })
  const proof = await verifyReceipt(shop.deps, code)
  const [order] = await shop.ordersOf(customer)
  expect(proof).toEqual({
    number: 1001,
    order: {
      ...{
        productName: 'Concert Violin',
        unitPriceCents: 250_00,
        quantity: 2,
        totalCents: 500_00,
        refundedCents: 100_00,
      },
      ...{ paidAt: order!.paidAt, shippedAt: null, payment: order!.transactionId!.slice(-6) },
    },
    position: 4,
    newest: 4,
    isWaiting: true,
  })
  await sealEvents(shop.deps)
  expect(await verifyReceipt(shop.deps, code)).toMatchObject({ isWaiting: false, newest: 6 })
  expect(
    await verifyReceipt(
      shop.deps,
      code.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ).toBeNull()
})

test('limits the checks of one IP address', async ({ shop }) => {
  const { max, window } = limits.receiptChecksFromIp
  const until = (Math.floor(Date.now() / window) + 1) * window
  await shop.deps.db.run(sql`INSERT INTO rate_limits VALUES (${`receipt:ip:${shop.deps.ip}`}, ${until}, ${max - 1})`)
  const code = '0'.repeat(25)
  expect(await verifyReceipt(shop.deps, code)).toBeNull()
  await expect(verifyReceipt(shop.deps, code)).rejects.toMatchObject({ code: 'too-many' })
})

/** Personal data may be replaced when an account is closed; the others have no part in order, price and payment. */
const unsealed: Record<string, string[]> = {
  orders: [
    ...['customer_name', 'customer_email', 'customer_address', 'customer_phone', 'company', 'vat_number'],
    ...['purchase_order', 'quote_id', 'hold_until', 'moved_by', 'carrier'],
    ...['tracking_number', 'tracking_url', 'staff_note', 'ip_hash', 'discount_code', 'discount_cents', 'language'],
    'dispute',
  ],
  audit_log: ['actor', 'user_id'],
  order_refunds: ['reason', 'moved_by', 'tries'],
  refunds: ['failed_at'],
  chain_links: [],
}

test('finds a change of every column of an order, an event, a refund and a link', async ({ shop }) => {
  shop.skipInvariants('its rows are changed')
  const { db } = shop.deps
  const { id, late, code } = await busyShop(shop)
  await dropGuards(shop)
  const ofOrder = sql.raw(`order_id = '${id}'`)
  const events = [...['order paid', 'refund made', 'refund owed', 'pieces returned'], 'order shipped', 'order placed']
  const rows: [table: string, where: ReturnType<typeof sql>, isOfReceipt: boolean][] = [
    ['orders', sql.raw(`id = '${id}'`), true],
    ['orders', sql.raw(`id = '${late}'`), false],
    ['orders', sql.raw(`state = 'unpaid'`), false],
    ...events.map((event): [string, ReturnType<typeof sql>, boolean] => [
      'audit_log',
      sql`event = ${event} AND ${ofOrder}`,
      true,
    ]),
    ['order_refunds', ofOrder, true],
    ['refunds', sql.raw('true'), false],
    ['chain_links', sql.raw(`code = '${code}'`), true],
  ]
  const missed: string[] = []
  for (const [table, where, isOfReceipt] of rows) {
    const [row] = await db.all<{ rowid: number }>(sql`SELECT rowid AS rowid FROM ${sql.raw(table)} WHERE ${where}`)
    const columns = await db.all<{ name: string; type: string }>(
      sql`SELECT name, type FROM pragma_table_info(${table})`,
    )
    for (const { name, type } of columns) {
      const [before] = await db.all<{ value: never }>(
        sql`SELECT ${sql.raw(name)} AS value FROM ${sql.raw(table)} WHERE rowid = ${row!.rowid}`,
      )
      const changed = type.toLowerCase() === 'integer' ? `coalesce(${name}, 0) + 1000` : `coalesce(${name}, '') || 'x'`
      // The key of these tables is the rowid itself.
      const isKey = type.toLowerCase() === 'integer' && (name === 'id' || name === 'position')
      await db.run(sql.raw(`UPDATE ${table} SET ${name} = ${changed} WHERE rowid = ${row!.rowid}`))
      const { findings } = await findingsOf(shop)
      const receipt = await verifyReceipt(shop.deps, code)
      const isFound = findings.length > 0
      const isProven = receipt?.order != null
      const expected = !unsealed[table]!.includes(name)
      if (isFound !== expected) missed.push(`${table}.${name}: ${isFound ? findings.join('; ') : 'not found'}`)
      // The page of a receipt reads the events that name its order: it does not miss one.
      const isMoved = table === 'audit_log' && (name === 'id' || name === 'order_id')
      if (isOfReceipt && !isMoved && isProven === expected) missed.push(`${table}.${name}: proven ${isProven}`)
      const rowid = isKey ? row!.rowid + 1000 : row!.rowid
      await db.run(sql`UPDATE ${sql.raw(table)} SET ${sql.raw(name)} = ${before!.value} WHERE rowid = ${rowid}`)
    }
  }
  expect(missed).toEqual([])
  expect((await findingsOf(shop)).findings).toEqual([])
})

test('finds events and orders that are gone, too many or in another order, and a chain that was cut', async ({
  shop,
}) => {
  shop.skipInvariants('its rows are changed')
  const { db } = shop.deps
  const { id } = await busyShop(shop)
  const head = (await findHead(shop.deps))!
  await dropGuards(shop)
  await db.run(sql`CREATE TABLE saved_log AS SELECT * FROM audit_log`)
  // The database computes it.
  await db.run(sql`ALTER TABLE saved_log DROP COLUMN about_id`)
  await db.run(sql`CREATE TABLE saved_links AS SELECT * FROM chain_links`)
  await db.run(sql`CREATE TABLE saved_orders AS SELECT * FROM orders`)
  const restore = async () => {
    for (const [table, saved] of [
      ['audit_log', 'saved_log'],
      ['chain_links', 'saved_links'],
      ['orders', 'saved_orders'],
    ]) {
      await db.run(sql.raw(`DELETE FROM ${table}`))
      await db.run(sql.raw(`INSERT INTO ${table} SELECT * FROM ${saved}`))
    }
  }
  const [paid] = await db.all<{ id: number }>(sql`SELECT id FROM audit_log WHERE event = 'order paid'`)
  const at = paid!.id
  const [last] = await db.all<{ id: number }>(sql`SELECT max(id) AS id FROM audit_log`)
  const attacks: Record<string, [finding: RegExp, ...statements: string[]]> = {
    'an event is deleted': [/its event is gone/, `DELETE FROM audit_log WHERE id = ${at}`],
    'an event and its link are deleted': [
      /are gone/,
      `DELETE FROM audit_log WHERE id = ${at}`,
      `DELETE FROM chain_links WHERE event_id = ${at}`,
    ],
    'an event is inserted': [
      /events without a link: 1\d+/,
      `UPDATE audit_log SET id = id + 1000 WHERE id > ${at}`,
      `UPDATE chain_links SET event_id = event_id + 1000 WHERE event_id > ${at}`,
      `INSERT INTO audit_log (id, at, event, actor, order_id) VALUES (100, 1, 'order shipped', 'me', '${id}')`,
    ],
    'events change places': [
      /rows.*were changed/,
      `UPDATE audit_log SET id = -1 WHERE id = ${at}`,
      `UPDATE audit_log SET id = ${at} WHERE id = ${at + 1}`,
      `UPDATE audit_log SET id = ${at + 1} WHERE id = -1`,
    ],
    'an order is inserted': [
      /state is unpaid, and by its events missing/,
      `INSERT INTO orders SELECT * FROM saved_orders WHERE id = '${id}' ON CONFLICT DO NOTHING`,
      `UPDATE orders SET id = 'new', state = 'unpaid' WHERE id = '${id}'`,
    ],
    'an order is deleted': [/were changed/, `DELETE FROM orders WHERE id = '${id}'`],
    'the last event is deleted': [/its event is gone/, `DELETE FROM audit_log WHERE id = ${last!.id}`],
    'the last event is deleted with its link': [
      /by its events missing/,
      `DELETE FROM audit_log WHERE id = ${last!.id}`,
      `DELETE FROM chain_links WHERE event_id = ${last!.id}`,
    ],
  }
  for (const [name, [finding, ...statements]] of Object.entries(attacks)) {
    for (const statement of statements) await db.run(sql.raw(statement))
    const { findings } = await findingsOf(shop)
    expect([name, findings.join('\n')]).toEqual([name, expect.stringMatching(finding)])
    await restore()
  }

  // The order, its event and its link: nothing is left that contradicts, but for the head that somebody wrote down.
  await db.run(sql.raw(`DELETE FROM orders WHERE state = 'unpaid'`))
  await db.run(sql.raw(`DELETE FROM audit_log WHERE id = ${last!.id}`))
  await db.run(sql.raw(`DELETE FROM chain_links WHERE event_id = ${last!.id}`))
  expect(await findingsOf(shop, head.hash)).toMatchObject({ findings: [], foundAt: null })
  await restore()
  // Links alone: the events have the same ones again.
  await db.run(sql.raw('DELETE FROM chain_links WHERE position > 3'))
  expect(await findingsOf(shop)).toMatchObject({ findings: [], links: 3, waiting: head.position - 3 })
  await sealEvents(shop.deps)
  expect(await findingsOf(shop, head.hash.slice(0, 25))).toMatchObject({ findings: [], foundAt: head.position })
})

test('stays whole when the personal data of an order is replaced', async ({ shop }) => {
  const { id, code } = await busyShop(shop)
  shop.skipInvariants('emails of the order have another recipient')
  await dropGuards(shop)
  const gone = { customerName: 'gone', customerEmail: 'gone', customerAddress: '', customerPhone: '' }
  await shop.deps.db.update(orders).set(gone).where(eq(orders.id, id))
  await shop.deps.db.run(sql`UPDATE audit_log SET actor = 'gone', user_id = NULL`)
  expect((await findingsOf(shop)).findings).toEqual([])
  expect((await verifyReceipt(shop.deps, code))?.order).not.toBeNull()
})

test('has a link for a refund of a payment that pays for nothing', async ({ shop }) => {
  const { id, transactionId } = await aPaidOrder(shop)
  const second = { transactionId: `${transactionId}_2`, amountCents: 500_00 } as never
  await refundPayment(
    { ...shop.deps, payments: { ...shop.deps.payments, refund: () => Promise.resolve({ refundId: 're_2' }) } },
    id,
    second,
  )
  await sealEvents(shop.deps)
  expect((await findingsOf(shop)).findings).toEqual([])
  shop.skipInvariants('the provider does not know this payment')
})
