import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { eq, sql } from 'drizzle-orm'
import { webhookDeliveries, webhookEndpoints } from '../app/db/schema'
import { newId } from '../app/store/shared/ids.server'
import { addWebhookEndpoint, testWebhookEndpoint } from '../app/store/integrations/webhooks.server'
import { expect, test, type Shop } from './support/shop'
import { WebhookReceiver } from './support/webhook-receiver'

const [products, changes] = [200, 5]
const events = products * changes

/** Two processes that deliver at the same time, both killed after so many milliseconds. */
async function deliverAndKill(shop: Shop, milliseconds: number): Promise<void> {
  const workers = [1, 2].map(() =>
    spawn(
      process.execPath,
      ['--import', 'tsx', 'tests/support/deliver-webhooks.ts', shop.database.url, shop.database.authToken],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    ),
  )
  await Promise.all(workers.map((worker) => once(worker.stdout, 'data')))
  const until = Date.now() + milliseconds
  // As if the waits were over; leases stay.
  while (Date.now() < until) {
    await shop.deps.db.update(webhookDeliveries).set({ dueAt: 0 }).where(eq(webhookDeliveries.state, 'waiting'))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await Promise.all(
    workers.map((worker) => {
      worker.kill('SIGKILL')
      return once(worker, 'exit')
    }),
  )
}

test(
  '1,000 events arrive, each with one effect and those of a product in order, while two Workers are killed again and again',
  { timeout: 400_000 },
  async ({ shop }) => {
    shop.skipInvariants('changes prices directly')
    const receiver = await WebhookReceiver.open()
    try {
      const admin = await shop.admin()
      const input = { url: receiver.url, events: ['product.changed' as const], submissionId: newId() }
      const { id, secret } = await addWebhookEndpoint(shop.deps, admin, input)
      receiver.secret = secret
      await testWebhookEndpoint(shop.deps, admin, id)
      receiver.effects.clear()
      for (let each = 0; each < products; each++) await shop.sells({ price: 1_00, stock: 1 })
      await shop.readLog()
      await shop.deps.db.delete(webhookDeliveries)
      for (let change = 0; change < changes; change++) {
        await shop.deps.db.run(sql`UPDATE instruments SET price_cents = price_cents + 100`)
        await shop.deps.db.run(
          sql`INSERT INTO audit_log (at, event, actor, instrument_id) SELECT ${Date.now()}, 'instrument changed', 'test', id FROM instruments`,
        )
        await shop.readLog()
      }
      expect(await shop.deps.db.$count(webhookDeliveries)).toBe(events)

      const inFlight = new Set<string>()
      let [twiceAtOnce, killed, count] = [0, 0, 0]
      receiver.behaviour = async (request, response) => {
        const event = String(request.headers['webhook-id'])
        if (inFlight.has(event)) twiceAtOnce += 1
        inFlight.add(event)
        count += 1
        await new Promise((resolve) => setTimeout(resolve, (count % 5) * 5))
        inFlight.delete(event)
        if (count % 17 === 3) return response.destroy()
        if (count % 23 === 4) return response.writeHead(302, { location: receiver.url }).end()
        if (count % 29 === 5) return response.writeHead(503).end('busy')
        // Takes the event, and lies about it: the event comes again.
        if (count % 31 === 6) {
          response.writeHead = () => response
          setTimeout(() => response.destroy(), 1)
        }
        return true
      }
      // Longer each time: on a busy machine a Worker needs most of it to start.
      while (receiver.effects.size < events) {
        await deliverAndKill(shop, 200 + ((killed * 137) % 700) + killed * 20)
        killed += 2
        await expect.poll(() => inFlight.size).toBe(0)
        // As if the leases of the killed ones had ended.
        await shop.deps.db.update(webhookDeliveries).set({ leaseUntil: 0 })
      }
      const effects = [...receiver.effects.values()]
      console.warn(`${effects.length} effects of ${receiver.requests} requests, ${killed} processes killed`)
      expect(effects).toHaveLength(events)
      expect(receiver.forged).toBe(0)
      expect(twiceAtOnce).toBe(0)
      expect(killed).toBeGreaterThan(4)
      const prices = new Map<unknown, unknown[]>()
      for (const { data } of effects) prices.set(data._id, [...(prices.get(data._id) ?? []), data.price])
      expect([...prices.values()].filter((list) => list.join() !== '2,3,4,5,6')).toEqual([])
      expect(await shop.deps.db.select().from(webhookEndpoints)).toMatchObject([{ state: 'on' }])
    } finally {
      await receiver.close()
    }
  },
)
