import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { asc, sql } from 'drizzle-orm'
import { auditLog, emails, instruments, logReaders, orders, webhookDeliveries, wishes } from '../app/db/schema'
import { changeStock } from '../app/store/catalog/manage-instruments.server'
import { addWish } from '../app/store/catalog/wishes.server'
import { addWebhookEndpoint } from '../app/store/integrations/webhooks.server'
import { webhookTypes } from '../app/store/integrations/webhook-types'
import { shipOrder } from '../app/store/orders/manage-order.server'
import { placeOrder } from '../app/store/ordering/place-order.server'
import { newId } from '../app/store/shared/ids.server'
import { expect, orderInput, test, type Shop } from './support/shop'

const [wanted, kills] = [1_000, 40]

/** Two readers at the same time, both killed after so many milliseconds. */
async function readAndKill({ database }: Shop, milliseconds: number): Promise<void> {
  const readers = [1, 2].map(() =>
    spawn(process.execPath, ['--import', 'tsx', 'tests/support/read-log.ts', database.url, database.authToken], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  await Promise.all(readers.map((reader) => once(reader.stdout, 'data')))
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  await Promise.all(
    readers.map((reader) => {
      reader.kill('SIGKILL')
      return once(reader, 'exit')
    }),
  )
}

test(
  '1,000 events reach each reader once and in order, while readers are killed 40 times',
  { timeout: 400_000 },
  async ({ shop }) => {
    shop.skipInvariants('payments that never were')
    const { deps } = shop
    const { db } = deps
    const admin = await shop.admin()
    const customers = [await shop.customer(), await shop.customer()]
    const input = { url: 'https://warehouse.example/hooks', events: [...webhookTypes], submissionId: newId() }
    await addWebhookEndpoint(deps, admin, input)
    await db.run(sql`UPDATE webhook_endpoints SET state = 'on'`)
    const violins = [await shop.sells({ stock: 9_000 }), await shop.sells({ stock: 9_000 })]
    await shop.readLog()
    const [{ id: last }] = (await db.all<{ id: number }>(sql`SELECT max(id) AS id FROM audit_log`)) as [{ id: number }]
    await db.delete(webhookDeliveries)

    let wishers = 0
    const happen = async () => {
      for (let nth = 0; ; nth++) {
        const [{ count }] = (await db.all<{ count: number }>(
          sql`SELECT count(*) AS count FROM audit_log WHERE id > ${last}`,
        )) as [{ count: number }]
        if (count >= wanted) return
        const { id } = await placeOrder(deps, customers[nth % 2]!, orderInput(violins[nth % 2]!, 1))
        await db
          .update(orders)
          .set({ state: 'paid', paidAt: Date.now(), transactionId: `pi_${id}`, movedBy: 'stripe' })
          .where(sql`id = ${id}`)
        await shipOrder(deps, admin, id)
        if (nth % 5 > 0) continue
        const [viola] = [await shop.sells({ stock: 0, name: `Viola ${nth}` })]
        await addWish(deps, customers[0]!, viola)
        wishers += 1
        await changeStock(deps, admin, viola, { pieces: 5, direction: 'in', reason: null, submissionId: newId() })
      }
    }
    const happening = happen()
    let killed = 0
    for (; killed < kills; killed += 2) await readAndKill(shop, (killed * 37) % 250)
    await happening
    await shop.readLog()

    const events = await db
      .select()
      .from(auditLog)
      .where(sql`id > ${last}`)
      .orderBy(asc(auditLog.id))
    console.warn(`${events.length} events, ${killed} processes killed`)
    const ofOrders = events.filter(({ event }) => /^order (placed|paid|shipped)$/.test(event))
    const products = events.filter(({ orderId, instrumentId }) => orderId === null && instrumentId !== null)

    // Emails: the unique id alone would hide what was lost.
    const sent = await db
      .select()
      .from(emails)
      .where(sql`audit_log_id > ${last}`)
      .orderBy(sql`rowid`)
    const aboutOrders = sent.filter(({ kind }) => kind.startsWith('order '))
    expect(aboutOrders.map(({ auditLogId }) => auditLogId)).toEqual(ofOrders.map(({ id }) => id))
    expect(sent.filter(({ kind }) => kind === 'back in stock')).toHaveLength(wishers)
    expect(
      await db
        .select()
        .from(wishes)
        .where(sql`emailed_at IS NULL`),
    ).toEqual([])

    const deliveries = await db.select().from(webhookDeliveries).orderBy(asc(webhookDeliveries.sequence))
    const told = deliveries.map(({ id }) => Number(id.split('_').at(-1)))
    expect(told).toEqual([...ofOrders, ...products].map(({ id }) => id).sort((one, other) => one - other))

    const [counted] = await db.all(sql`SELECT sum(orders) AS orders, sum(revenue_cents) AS cents FROM daily_sales`)
    const [byMonth] = await db.all(sql`SELECT sum(orders) AS orders, sum(revenue_cents) AS cents FROM monthly_sales`)
    const [independent] = await db.all(
      sql`SELECT count(*) AS orders, sum(total_cents) AS cents FROM orders WHERE paid_at IS NOT NULL`,
    )
    expect([counted, byMonth]).toEqual([independent, independent])
    const [newest] = await db.all<{ id: number }>(sql`SELECT max(id) AS id FROM audit_log`)
    expect(new Set((await db.select().from(logReaders)).map(({ readId }) => readId))).toEqual(new Set([newest!.id]))
    expect(await db.$count(instruments)).toBeGreaterThan(2)
  },
)
