import { Refusal } from '../../../app/store/shared/refusal'
import type { User } from '../../../app/store/accounts/sign-in'
import { payWith, payableOf, type PaymentHandle } from '../card'
import { Client, done } from '../client'
import { stripeAt } from '../provider'
import { wrongOf, type Effort, type Report } from '../report'
import { confirmPayment, handleWebhookEvent, requestPayment } from '../store-commands'
import { rest } from '../rest'
import { TestEnvironment, type Person } from '../test-environment'

interface AttackSetup {
  env: TestEnvironment
  victim: Client
  expensive: string
  attacker: Client
  cheap: string
  cheapHandle: PaymentHandle
}

type Attack = (setup: AttackSetup) => Promise<unknown>

const attacks: Record<string, Attack> = {
  'a cheaper payment in the row of the expensive order': async ({ env, expensive, cheapHandle, victim }) => {
    await payWith(env.sandbox.url, cheapHandle)
    await writeAttempt(env, expensive, payableOf(cheapHandle))
    return victim.returnFromPayment(expensive)
  },
  'an own payment reported for the expensive order': async (setup) => {
    const intent = await intentFor(setup, { order: setup.expensive, customer: setup.attacker.who.id }, 1000_00)
    await sendEvent(setup, intent)
  },
  'a payment of the right order and owner, a cent too small': async (setup) => {
    const intent = await intentFor(setup, { order: setup.expensive, customer: setup.victim.who.id }, 1000_00 - 1)
    await sendEvent(setup, intent)
  },
  'a payment of the right order and owner, a cent too large': async (setup) => {
    const intent = await intentFor(setup, { order: setup.expensive, customer: setup.victim.who.id }, 1000_00 + 1)
    await sendEvent(setup, intent)
  },
  'a payment without an order in its metadata': async (setup) => {
    await sendEvent(setup, await intentFor(setup, {}, 1000_00))
  },
  'a payment that is not captured yet': async (setup) => {
    const { id } = await stripeAt(setup.env.sandbox.url).paymentIntents.create({
      amount: 1000_00,
      currency: 'usd',
      metadata: { order: setup.expensive, customer: setup.victim.who.id },
    })
    await sendEvent(setup, id)
    // Cancelled here, because it could be paid beside the shop's own intent.
    await stripeAt(setup.env.sandbox.url).paymentIntents.cancel(id)
  },
  'an unknown payment': async (setup) => {
    await sendEvent(setup, 'pi_that_never_was')
  },
  'an API call confirms the expensive order with an own payment': async ({
    env,
    expensive,
    cheapHandle,
    attacker,
    victim,
  }) => {
    await payWith(env.sandbox.url, cheapHandle)
    for (const { who } of [attacker, victim]) {
      await requireRefusal(
        confirmPayment(env.worker(), visitor(who), expensive, { transactionId: payableOf(cheapHandle) }),
      )
    }
  },
  'an API call pays the expensive order at another price': async ({ env, expensive, attacker, victim }) => {
    for (const { who } of [attacker, victim]) {
      for (const orderPrice of [1, 100_00, 1000_00 - 1]) {
        await requireRefusal(requestPayment(env.worker(), visitor(who), { orderPrice, orderId: expensive }))
      }
    }
  },
  'one payment for two orders': async (setup) => {
    const { env, attacker, cheap, cheapHandle } = setup
    const twin = done(await attacker.order(await env.sells({ price: 100_00 }), 1))
    await payWith(env.sandbox.url, cheapHandle)
    await attacker.returnFromPayment(cheap)
    await writeAttempt(env, twin, payableOf(cheapHandle)).catch(() => undefined)
    await attacker.returnFromPayment(twin)
    await requireUnpaid(env, twin)
  },
  'paying and cancelling another customer’s order': async ({ attacker, expensive }) => {
    for (const act of [
      attacker.start('intent', expensive),
      attacker.start('checkout', expensive),
      attacker.cancel(expensive),
    ]) {
      if ((await act).how === 'done') throw new Error('the shop did it for a stranger')
    }
  },
  'shipping an unpaid order': async ({ env, expensive }) => {
    const admin = new Client(env.worker(), env.history, await env.person('admin'))
    if ((await admin.ship(expensive)).how === 'done') throw new Error('it was shipped')
  },
  'paying through a closed card form': async ({ env, attacker, cheap }) => {
    const old = done(await attacker.start('intent', cheap))
    done(await attacker.start('checkout', cheap))
    if (await payWith(env.sandbox.url, old)) throw new Error('the closed form took money')
  },
  'confirming with the client secret of another intent': async ({ env, attacker, cheap, victim, expensive }) => {
    const [own, otherHandle] = [
      done(await attacker.start('intent', cheap)),
      done(await victim.start('intent', expensive)),
    ]
    const [mine] = secretOf(own).split('_secret_')
    const [, otherSecret] = secretOf(otherHandle).split('_secret_')
    const mixed: PaymentHandle = { kind: 'intent', clientSecret: `${mine}_secret_${otherSecret}` }
    if (await payWith(env.sandbox.url, mixed)) throw new Error('the provider took it')
  },
}

export async function runAttacks(effort: Effort): Promise<Report> {
  const wrong: string[] = []
  for (const [name, attack] of Object.entries(attacks)) {
    effort.say(name)
    const env = await TestEnvironment.open()
    try {
      const setup = await setUp(env)
      await attack(setup)
      await requireUnpaid(env, setup.expensive)
      await rest(env)
      wrong.push(...wrongOf(await env.check()).map((message) => `${name}: ${message}`))
    } catch (error) {
      wrong.push(`${name}: ${String(error)}`)
    } finally {
      await env.close()
    }
  }
  const attackCount = Object.keys(attacks).length
  return { part: 'attacks', figures: { attacks: attackCount, accepted: wrong.length }, wrong }
}

async function setUp(env: TestEnvironment): Promise<AttackSetup> {
  const worker = env.worker()
  const victim = new Client(worker, env.history, await env.person())
  const attacker = new Client(worker, env.history, await env.person())
  const expensive = done(await victim.order(await env.sells({ price: 1000_00 }), 1))
  const cheap = done(await attacker.order(await env.sells({ price: 100_00 }), 1))
  return { env, victim, expensive, attacker, cheap, cheapHandle: done(await attacker.start('intent', cheap)) }
}

/** Writes the payment into the shop's own tables, as if the shop had opened it for this order. */
async function writeAttempt(env: TestEnvironment, order: string, payable: string): Promise<void> {
  await env.sql(
    { sql: `UPDATE payment_attempts SET state = 'closed', provider_id = NULL WHERE provider_id = ?`, args: [payable] },
    {
      sql: `INSERT INTO payment_attempts (order_id, attempt, kind, state, provider_id, created_at, expires_at)
        VALUES (?, 1, 'intent', 'open', ?, 1, 1)`,
      args: [order, payable],
    },
  )
}

async function intentFor({ env }: AttackSetup, metadata: Record<string, string>, amount: number): Promise<string> {
  const card = { allowed_payment_method_types: ['card'], payment_method: 'pm_card_visa' }
  const made = { amount, currency: 'usd', metadata, confirm: true, ...card }
  return (await stripeAt(env.sandbox.url).paymentIntents.create(made)).id
}

async function sendEvent({ env }: AttackSetup, intent: string): Promise<void> {
  const event = {
    id: `evt_${intent}`,
    type: 'payment_intent.succeeded',
    about: { kind: 'intent', id: intent } as const,
  }
  await handleWebhookEvent(env.worker(), event)
}

function visitor({ id, email }: Person): User {
  return { id, email, name: 'Ada', role: 'customer' }
}

async function requireRefusal(promise: Promise<unknown>): Promise<void> {
  const refused = await promise.then(
    () => false,
    (error: unknown) => error instanceof Refusal,
  )
  if (!refused) throw new Error('the shop did it')
}

async function requireUnpaid(env: TestEnvironment, order: string): Promise<void> {
  const [row] = await env.query(`SELECT state FROM orders WHERE id = '${order}'`)
  if (row?.state !== 'unpaid') throw new Error(`the order is ${String(row?.state)}`)
}

function secretOf(handle: PaymentHandle): string {
  return handle.kind === 'intent' ? handle.clientSecret : ''
}
