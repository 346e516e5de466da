import type { Deps } from '../../app/store/deps'
import { cards, payWith, type PaymentHandle, type Kind } from './card'
import { Client, done } from './client'
import { hours } from './clock'
import { eventsAt, misbehave, signed, stripeAt } from './provider'
import { handleWebhookEvent, runScheduledTasks } from './store-commands'
import type { TestEnvironment } from './test-environment'

interface WorkloadContext {
  env: TestEnvironment
  worker: Deps
  violin: string
  newClient: (role?: 'customer' | 'admin') => Promise<Client>
  pay: (handle: PaymentHandle, card?: string) => Promise<boolean>
}

export const bothKinds = ['checkout', 'intent'] as const

/** Every payment and stock scenario in a few seconds. Returns the scenes that failed: none, in a shop without a bug. */
export async function runWorkload(
  env: TestEnvironment,
  worker: Deps,
  kinds: readonly Kind[] = bothKinds,
): Promise<string[]> {
  const context: WorkloadContext = {
    env,
    worker,
    violin: await env.sells({ price: 250_00, stock: 60 }),
    newClient: async (role) => new Client(worker, env.history, await env.person(role)),
    pay: (handle, card) => payWith(env.sandbox.url, handle, card),
  }
  const scenes: [name: string, play: (context: WorkloadContext) => Promise<void>][] = [
    ['the last one', orderLastPiece],
    ['quantities', quantities],
    ['price breaks', orderByBreaks],
    ['forms', submitForms],
    ['sale prices', orderReduced],
    ['codes', orderWithCodes],
    ['changing how to pay', switchPaymentKind],
    ...kinds.flatMap((kind): typeof scenes => [
      [`buying by ${kind}`, (the) => buy(the, kind)],
      [`refunding ${kind}`, (the) => refundPaid(the, kind)],
      [`giving up a ${kind}`, (the) => cancelOpenPayment(the, kind)],
      [`cancelling against paying by ${kind}`, (the) => cancelWhilePaying(the, kind)],
      [`late money by ${kind}`, (the) => payAfterCancel(the, kind)],
    ]),
    ['a former admin', actAfterRevocation],
    ['a forged event', forgeEvent],
    ['every event', () => deliverAllEvents(env, worker)],
    ...kinds.map((kind): (typeof scenes)[number] => [`expiry with ${kind}`, (the) => payAfterExpiry(the, kind)]),
  ]
  const failedScenes: string[] = []
  for (const [name, run] of scenes) {
    await run(context).catch((error: unknown) => failedScenes.push(`${name}: ${String(error)}`))
  }
  return failedScenes
}

async function orderLastPiece({ env, newClient }: WorkloadContext): Promise<void> {
  const last = await env.sells({ stock: 1 })
  const crowd = await Promise.all(Array.from({ length: 8 }, () => newClient()))
  await Promise.all(crowd.map((client) => client.order(last, 1)))
}

async function quantities({ env, newClient }: WorkloadContext): Promise<void> {
  const horn = await env.sells({ minimum: 3, stock: 9 })
  const client = await newClient()
  for (const quantity of [2, 10, 9, 3]) await client.order(horn, quantity)
}

async function orderByBreaks({ env, newClient }: WorkloadContext): Promise<void> {
  const [before, after] = [90_00, 80_00].map((priceCents) => [{ from: 5, priceCents }])
  const cornett = await env.sells({ price: 100_00, breaks: before, stock: 40 })
  const client = await newClient()
  for (const quantity of [4, 5, 6]) await client.order(cornett, quantity)
  await env.reprice(cornett, 100_00, after)
  for (const shownBreaks of [before, after]) await client.order(cornett, 5, { shownPrice: 100_00, shownBreaks })
}

/** At both sides of the first and the last moment of a sale, with breaks and codes above and below its price. */
async function orderReduced({ env, newClient }: WorkloadContext): Promise<void> {
  const breaks = [{ from: 5, priceCents: 90_00 }]
  const lute = await env.sells({ price: 100_00, breaks, stock: 90 })
  const [from, until] = [env.clock.now() + 2, env.clock.now() + 4]
  await env.reprice(lute, 100_00, breaks, { price: 95_00, from, until })
  const codes = [await env.discount({ percent: 3 }), await env.discount({ percent: 20, combines: 1 })]
  const client = await newClient()
  for (let moment = 0; moment < 5; moment++) {
    for (const quantity of [1, 5]) {
      await client.order(lute, quantity)
      for (const { code } of codes) await client.order(lute, quantity, { code })
    }
    for (const shownPrice of [95_00, 100_00]) await client.order(lute, 2, { shownPrice })
    env.clock.advance(1)
  }
}

/** Each code at both sides of each of its limits, and by many at once. */
async function orderWithCodes({ env, newClient }: WorkloadContext): Promise<void> {
  const breaks = [{ from: 5, priceCents: 90_00 }]
  const [horn, other] = [await env.sells({ price: 99_95, breaks, stock: 90 }), await env.sells({ price: 60, stock: 9 })]
  const twice = await env.discount({ percent: 10, max_uses: 2 })
  const crowd = await Promise.all(Array.from({ length: 6 }, () => newClient()))
  const placed = await Promise.all(crowd.map((client) => client.order(horn, 1, { code: twice.code })))
  for (const [index, outcome] of placed.entries()) if (outcome.how === 'done') await crowd[index]!.cancel(outcome.value)
  const [ada, admin] = [await newClient(), await newClient('admin')]
  await ada.order(horn, 1, { code: twice.code })
  const once = await env.discount({ percent: 5, max_uses_per_customer: 1 })
  for (const quantity of [5, 4, 4, 5]) await ada.order(horn, quantity, { code: once.code })
  const both = await env.discount({ percent: 33, combines: 1, min_total_cents: 450_00 })
  for (const quantity of [5, 4, 3]) await ada.order(horn, quantity, { code: both.code })
  const theirs = await env.discount({ amount_cents: 900_00, instruments: JSON.stringify([other]) })
  for (const instrument of [horn, other]) await ada.order(instrument, 1, { code: theirs.code })
  await admin.endDiscount(theirs.code)
  env.clock.advance(1)
  await ada.order(other, 2, { code: theirs.code })
}

async function submitForms({ env, violin, newClient }: WorkloadContext): Promise<void> {
  const [ada, bob, eve] = [await newClient(), await newClient(), await newClient()]
  const submission = crypto.randomUUID()
  await Promise.all(Array.from({ length: 5 }, () => ada.order(violin, 1, { submission })))
  const cello = await env.sells({ price: 900_00 })
  await env.reprice(cello, 950_00)
  await bob.order(cello, 1, { shownPrice: 900_00 })
  await eve.order(cello, 1, { shownPrice: 1_00 })
  await bob.order(cello, 1, { shownPrice: 950_00 })
}

async function buy({ violin, newClient, pay }: WorkloadContext, kind: Kind): Promise<void> {
  const [ada, stranger, admin] = [await newClient(), await newClient(), await newClient('admin')]
  const order = done(await ada.order(violin, 2))
  const tabs = await Promise.all([ada.start(kind, order), ada.start(kind, order)])
  const handle = done(tabs.find(({ how }) => how === 'done') ?? tabs[0])
  await pay(handle, cards.declined)
  await ada.returnFromPayment(order)
  await stranger.cancel(order)
  await pay(handle)
  await ada.returnFromPayment(order)
  await Promise.all([ada.cancel(order), ada.cancel(order), ada.start(kind, order)])
  await admin.ship(order)
}

async function actAfterRevocation({ violin, newClient, pay }: WorkloadContext): Promise<void> {
  const [ada, root, former] = [await newClient(), await newClient('admin'), await newClient('admin')]
  const order = done(await ada.order(violin, 2))
  await pay(done(await ada.start('intent', order)))
  await ada.returnFromPayment(order)
  await former.refund(order, { amount: 1_00 })
  await Promise.all([root.revokeAdmin(former.who), former.refund(order, { amount: 2_00 })])
  await former.refund(order, { amount: 3_00, restock: 1 })
  await former.ship(order)
  await shipByRole({ ada, root }, order)
}

/** One who packs ships; once the role has ended, or is another one, not any more. */
async function shipByRole({ ada, root }: { ada: Client; root: Client }, order: string): Promise<void> {
  for (const role of ['bookkeeper', null] as const) {
    await root.setStaffRole(ada.who, role)
    await ada.ship(order)
    await root.setStaffRole(ada.who, 'packer')
  }
  await Promise.all([root.setStaffRole(ada.who, 'bookkeeper'), ada.ship(order)])
  await ada.ship(order)
  await root.setStaffRole(ada.who, 'packer')
  await ada.ship(order)
}

async function refundPaid({ env, worker, violin, newClient, pay }: WorkloadContext, kind: Kind): Promise<void> {
  const [ada, admin] = [await newClient(), await newClient('admin')]
  const order = done(await ada.order(violin, 3))
  await admin.refund(order, { amount: 1_00 })
  await pay(done(await ada.start(kind, order)))
  await ada.returnFromPayment(order)
  const form = { amount: 100_00, restock: 1, submission: crypto.randomUUID() }
  await Promise.all(Array.from({ length: 4 }, () => admin.refund(order, form)))
  await misbehave(env.sandbox.url, {
    stripe: { only: 'POST /v1/refunds', answer: 'reset', when: 'after', failNext: 2 },
  })
  await admin.refund(order, { amount: 200_00 })
  await misbehave(env.sandbox.url, null)
  await runScheduledTasks(worker)
  await admin.refund(order, { amount: 700_00 })
  await admin.refund(order, { amount: 1, restock: 3 })
  await Promise.all([1, 2, 3].map(() => admin.refund(order, { amount: 300_00, restock: 1 })))
  const [row] = await env.query(`SELECT transaction_id FROM orders WHERE id = '${order}'`)
  const elsewhere = { payment_intent: String(row!.transaction_id), amount: 50_00 }
  await stripeAt(env.sandbox.url).refunds.create(elsewhere)
  env.history.refundedElsewhere.push({ order, amount: 50_00 })
}

async function cancelOpenPayment({ violin, newClient, pay }: WorkloadContext, kind: Kind): Promise<void> {
  const [bob, admin] = [await newClient(), await newClient('admin')]
  const order = done(await bob.order(violin, 3))
  const handle = done(await bob.start(kind, order))
  await admin.ship(order)
  await Promise.all([bob.cancel(order), bob.cancel(order)])
  await bob.cancel(order)
  await pay(handle)
}

async function switchPaymentKind({ violin, newClient, pay }: WorkloadContext): Promise<void> {
  const eve = await newClient()
  const order = done(await eve.order(violin, 1))
  const intent = done(await eve.start('intent', order))
  const checkout = done(await eve.start('checkout', order))
  await pay(intent)
  await pay(checkout)
}

async function cancelWhilePaying({ violin, newClient, pay }: WorkloadContext, kind: Kind): Promise<void> {
  const eve = await newClient()
  const order = done(await eve.order(violin, 1))
  const handle = done(await eve.start(kind, order))
  await Promise.all([pay(handle), eve.cancel(order)])
}

async function payAfterCancel({ env, violin, newClient, pay }: WorkloadContext, kind: Kind): Promise<void> {
  const bob = await newClient()
  const order = done(await bob.order(violin, 1))
  const handle = done(await bob.start(kind, order))
  await env.cancelBlindly(order)
  await pay(handle)
  await bob.returnFromPayment(order)
}

async function deliverAllEvents({ sandbox }: TestEnvironment, worker: Deps): Promise<void> {
  for (const event of (await eventsAt(sandbox.url)).reverse()) {
    const { body, signature } = await signed(event)
    const webhookEvent = await worker.payments.readEvent(body, signature)
    for (let time = 0; webhookEvent && time < 2; time++) await handleWebhookEvent(worker, webhookEvent)
  }
}

async function forgeEvent({ env, worker }: WorkloadContext): Promise<void> {
  const { body, signature } = await signed({ id: 'evt_forged', object: 'event' }, { secret: 'whsec_guessed' })
  if (await worker.payments.readEvent(body, signature)) env.history.forgedEvents.push({ what: 'signed by a guess' })
}

async function payAfterExpiry({ env, newClient, pay }: WorkloadContext, kind: Kind): Promise<void> {
  const [slow, quick] = [await newClient(), await newClient()]
  const viola = await env.sells({ stock: 2 })
  const order = done(await slow.order(viola, 2))
  env.clock.advance(env.holdMs - hours)
  const handle = done(await slow.start(kind, order))
  await quick.order(viola, 2)
  env.clock.advance(hours + 1)
  await quick.order(viola, 2)
  await pay(handle)
}
