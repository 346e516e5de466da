import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isNull, sql } from 'drizzle-orm'
import { emails } from '../app/db/schema'
import { shipOrder } from '../app/store/orders/manage-order.server'
import { placeOrder } from '../app/store/ordering/place-order.server'
import { confirmOrderPayment } from '../app/store/payments/confirm-payment.server'
import { startCheckout } from '../app/store/payments/payments.server'
import { payAt } from './support/hosted-page'
import { day, expect, orderInput, test, type Shop } from './support/shop'

const [unpaid, shipped] = [60, 12]
const ahead = 2.2 * day

/** Two processes that write and send at the same time, both killed after so many milliseconds. */
async function sendAndKill(shop: Shop, milliseconds: number): Promise<void> {
  const { database, sandbox } = shop
  const args = ['--import', 'tsx', 'tests/support/send-by-time.ts', database.url, database.authToken, sandbox.url]
  const workers = [1, 2].map(() =>
    spawn(process.execPath, [...args, String(ahead)], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  await Promise.all(workers.map((worker) => once(worker.stdout, 'data')))
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  await Promise.all(
    workers.map((worker) => {
      worker.kill('SIGKILL')
      return once(worker, 'exit')
    }),
  )
}

test(
  'each unpaid and each shipped order gets one email, while two processes that send them are killed again and again',
  { timeout: 400_000 },
  async ({ shop }) => {
    const violin = await shop.sells({ price: 1_00, stock: 10_000 })
    const admin = { id: (await shop.admin()).id, role: 'admin' as const }
    const order = async () => {
      const customer = await shop.user({})
      return { customer, id: (await placeOrder(shop.deps, customer, orderInput(violin))).id }
    }
    const wanted = new Map<string, number>()
    const subject = (email: string, begins: string) => `${email} ${begins}`
    for (let nth = 0; nth < unpaid; nth++) wanted.set(subject((await order()).customer.email, 'Not paid yet'), 1)
    for (let nth = 0; nth < shipped; nth++) {
      const { customer, id } = await order()
      await payAt((await startCheckout(shop.deps, customer, id)).url)
      await confirmOrderPayment(shop.deps, id)
      await shipOrder(shop.deps, admin, id)
      wanted.set(subject(customer.email, 'How is your'), 1)
    }
    await shop.faults({ mail: { delayMs: 5 } })
    let killed = 0
    // Longer each time: on a busy machine a process needs most of it to write the first ones.
    for (let left = 1; left > 0; killed += 2) {
      await sendAndKill(shop, 200 + ((killed * 137) % 700) + killed * 20)
      const count = await shop.deps.db.$count(emails, sql`kind IN ('hold ends', 'review wanted')`)
      // As if the claims of the killed ones had ended.
      await shop.deps.db.update(emails).set({ dueAt: 0 }).where(isNull(emails.sentAt))
      left = unpaid + shipped - count + (await shop.deps.db.$count(emails, isNull(emails.sentAt)))
    }
    const sent = (await (await fetch(`${shop.sandbox.url}/mail`)).json<{ to: string; subject: string }[]>()).filter(
      ({ subject: text }) => /^(Not paid yet|How is your)/.test(text),
    )
    console.warn(`${sent.length} emails, ${killed} processes killed`)
    const counts = new Map<string, number>()
    for (const { to, subject: text } of sent) {
      const key = subject(to, /^(Not paid yet|How is your)/.exec(text)![0])
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect(counts).toEqual(wanted)
    expect(killed).toBeGreaterThan(4)
  },
)
