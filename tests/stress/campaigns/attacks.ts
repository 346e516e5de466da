import { Refusal } from '../../../app/store/refusal'
import type { User } from '../../../app/store/accounts/sign-in'
import { payWith, payableOf, type Given } from '../card'
import { Client, done } from '../client'
import { stripeAt } from '../provider'
import { wrongOf, type Effort, type Report } from '../report'
import { confirmPayment, handleWebhookEvent, requestPayment } from '../store-commands'
import { rest } from '../rest'
import { TestEnvironment, type Person } from '../test-environment'

interface Scene {
  stand: TestEnvironment
  /** Two customers, each with an unpaid order: a dear one, and one that costs a tenth. */
  victim: Client
  dear: string
  thief: Client
  cheap: string
  cheapGiven: Given
}

type Attack = (scene: Scene) => Promise<unknown>

/** What somebody may try with payments that are not for what they want. After each, the dear order must not be paid. */
const attacks: Record<string, Attack> = {
  'a cheaper payment is written to the dear order': async ({ stand, dear, cheapGiven, victim }) => {
    await payWith(stand.sandbox.url, cheapGiven)
    await pretend(stand, dear, payableOf(cheapGiven))
    return victim.comesBack(dear)
  },
  'an own payment is told as that of the dear order': async (scene) => {
    const intent = await intentFor(scene, { order: scene.dear, customer: scene.thief.who.id }, 1000_00)
    await tell(scene, intent)
  },
  'a payment of the right order and owner, a cent too small': async (scene) => {
    const intent = await intentFor(scene, { order: scene.dear, customer: scene.victim.who.id }, 1000_00 - 1)
    await tell(scene, intent)
  },
  'a payment of the right order and owner, a cent too large': async (scene) => {
    const intent = await intentFor(scene, { order: scene.dear, customer: scene.victim.who.id }, 1000_00 + 1)
    await tell(scene, intent)
  },
  'a payment that says nothing of an order': async (scene) => {
    await tell(scene, await intentFor(scene, {}, 1000_00))
  },
  'a payment that was not taken yet': async (scene) => {
    const { id } = await stripeAt(scene.stand.sandbox.url).paymentIntents.create({
      amount: 1000_00,
      currency: 'usd',
      metadata: { order: scene.dear, customer: scene.victim.who.id },
    })
    await tell(scene, id)
    // It must not stay: it could be paid beside the shop's own.
    await stripeAt(scene.stand.sandbox.url).paymentIntents.cancel(id)
  },
  'a payment that nobody knows': async (scene) => {
    await tell(scene, 'pi_that_never_was')
  },
  'a program says that an own payment has paid for the dear order': async ({
    stand,
    dear,
    cheapGiven,
    thief,
    victim,
  }) => {
    await payWith(stand.sandbox.url, cheapGiven)
    for (const { who } of [thief, victim]) {
      await requireRefusal(confirmPayment(stand.worker(), visitor(who), dear, { transactionId: payableOf(cheapGiven) }))
    }
  },
  'a program asks to pay the dear order at another price': async ({ stand, dear, thief, victim }) => {
    for (const { who } of [thief, victim]) {
      for (const orderPrice of [1, 100_00, 1000_00 - 1]) {
        await requireRefusal(requestPayment(stand.worker(), visitor(who), { orderPrice, orderId: dear }))
      }
    }
  },
  'one payment for two orders': async (scene) => {
    const { stand, thief, cheap, cheapGiven } = scene
    const twin = done(await thief.order(await stand.sells({ price: 100_00 }), 1))
    await payWith(stand.sandbox.url, cheapGiven)
    await thief.comesBack(cheap)
    await pretend(stand, twin, payableOf(cheapGiven)).catch(() => undefined)
    await thief.comesBack(twin)
    await requireUnpaid(stand, twin)
  },
  'looking after, cancelling and paying for an order of somebody else': async ({ thief, dear }) => {
    for (const act of [thief.start('intent', dear), thief.start('checkout', dear), thief.cancel(dear)]) {
      if ((await act).how === 'done') throw new Error('the shop did it for a stranger')
    }
  },
  'shipping what is not paid': async ({ stand, dear }) => {
    const admin = new Client(stand.worker(), stand.history, await stand.person('admin'))
    if ((await admin.ship(dear)).how === 'done') throw new Error('it was shipped')
  },
  'paying by a card form that was closed': async ({ stand, thief, cheap }) => {
    const old = done(await thief.start('intent', cheap))
    done(await thief.start('checkout', cheap))
    if (await payWith(stand.sandbox.url, old)) throw new Error('the closed form took money')
  },
  'confirming with the client secret of another intent': async ({ stand, thief, cheap, victim, dear }) => {
    const [own, others] = [done(await thief.start('intent', cheap)), done(await victim.start('intent', dear))]
    const [mine] = secretOf(own).split('_secret_')
    const [, theirs] = secretOf(others).split('_secret_')
    const mixed: Given = { kind: 'intent', clientSecret: `${mine}_secret_${theirs}` }
    if (await payWith(stand.sandbox.url, mixed)) throw new Error('the provider took it')
  },
}

/** Payments used for what they are not for: of all attacks, none may be accepted, and the money goes back. */
export async function runAttacks(effort: Effort): Promise<Report> {
  const wrong: string[] = []
  for (const [name, attack] of Object.entries(attacks)) {
    effort.say(name)
    const stand = await TestEnvironment.open()
    try {
      const scene = await setUp(stand)
      await attack(scene)
      await requireUnpaid(stand, scene.dear)
      await rest(stand)
      wrong.push(...wrongOf(await stand.check()).map((says) => `${name}: ${says}`))
    } catch (error) {
      wrong.push(`${name}: ${String(error)}`)
    } finally {
      await stand.close()
    }
  }
  const tried = Object.keys(attacks).length
  return { part: 'attacks', figures: { attacks: tried, accepted: wrong.length }, wrong }
}

async function setUp(stand: TestEnvironment): Promise<Scene> {
  const worker = stand.worker()
  const victim = new Client(worker, stand.history, await stand.person())
  const thief = new Client(worker, stand.history, await stand.person())
  const dear = done(await victim.order(await stand.sells({ price: 1000_00 }), 1))
  const cheap = done(await thief.order(await stand.sells({ price: 100_00 }), 1))
  return { stand, victim, dear, thief, cheap, cheapGiven: done(await thief.start('intent', cheap)) }
}

/** As if the shop had been made to believe that this is where the order is paid. */
async function pretend(stand: TestEnvironment, order: string, payable: string): Promise<void> {
  await stand.sql(
    { sql: `UPDATE payment_attempts SET state = 'closed', provider_id = NULL WHERE provider_id = ?`, args: [payable] },
    {
      sql: `INSERT INTO payment_attempts (order_id, attempt, kind, state, provider_id, created_at, expires_at)
        VALUES (?, 1, 'intent', 'open', ?, 1, 1)`,
      args: [order, payable],
    },
  )
}

async function intentFor({ stand }: Scene, metadata: Record<string, string>, amount: number): Promise<string> {
  const card = { allowed_payment_method_types: ['card'], payment_method: 'pm_card_visa' }
  const made = { amount, currency: 'usd', metadata, confirm: true, ...card }
  return (await stripeAt(stand.sandbox.url).paymentIntents.create(made)).id
}

async function tell({ stand }: Scene, intent: string): Promise<void> {
  const event = {
    id: `evt_${intent}`,
    type: 'payment_intent.succeeded',
    about: { kind: 'intent', id: intent } as const,
  }
  await handleWebhookEvent(stand.worker(), event)
}

function visitor({ id, email }: Person): User {
  return { id, email, name: 'Ada', role: 'customer' }
}

async function requireRefusal(asked: Promise<unknown>): Promise<void> {
  const refused = await asked.then(
    () => false,
    (error: unknown) => error instanceof Refusal,
  )
  if (!refused) throw new Error('the shop did it')
}

async function requireUnpaid(stand: TestEnvironment, order: string): Promise<void> {
  const [row] = await stand.query(`SELECT state FROM orders WHERE id = '${order}'`)
  if (row?.state !== 'unpaid') throw new Error(`the order is ${String(row?.state)}`)
}

function secretOf(given: Given): string {
  return given.kind === 'intent' ? given.clientSecret : ''
}
