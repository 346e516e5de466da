import { eq } from 'drizzle-orm'
import { orderRefunds, orders, webhookEvents } from '../app/db/schema'
import { fakeProvider, paid } from './support/fake-provider'
import { anOrder } from './support/payments'
import { expect, test } from './support/store'
import { ProviderError, type ProviderEvent } from '../app/store/deps'
import { startIntent } from '../app/store/payments/payments.server'
import { action } from '../app/routes/webhooks/stripe'

/** Stripe sends an event again unless it hears 2xx: the cron trigger would hide for hours that none is handled. */
const silence = new ProviderError('silence', { final: false })
const bug = new TypeError('a bug')

test.for([
  { kind: 'intent', call: 'find', error: silence },
  { kind: 'intent', call: 'find', error: bug },
  { kind: 'refund', call: 'findRefund', error: silence },
  { kind: 'refund', call: 'findRefund', error: bug },
] as const)('does not accept an event about a $kind whose handling fails with $error.name', async (row, { shop }) => {
  const { deps, becomes, refunds, errors } = fakeProvider(shop)
  const { id, customer } = await anOrder(shop)
  await startIntent(deps, customer, id)
  becomes('pi_1', paid({ id, customer }, { transactionId: 'pi_1' }))
  if (row.kind === 'refund') {
    const payment = { state: 'paid', paidAt: 1, transactionId: 'pi_1', movedBy: 'stripe' } as const
    await deps.db.update(orders).set(payment).where(eq(orders.id, id))
    refunds.push({ refundId: 're_1', transactionId: 'pi_1', amountCents: 1_00, isFailed: false, ownId: null })
  }
  const about = { kind: row.kind, id: row.kind === 'refund' ? 're_1' : 'pi_1' }
  const event: ProviderEvent = { id: 'evt_1', type: 'x', about }
  const context = { ...deps, payments: { ...deps.payments, readEvent: () => Promise.resolve(event) } }
  const send = () => {
    const request = new Request('https://shop.example/webhooks/stripe', { method: 'POST', body: '{}' })
    return action({ request, context, params: {} } as unknown as Parameters<typeof action>[0])
  }
  const isHandled = async () => {
    const [[order], made] = [await deps.db.select().from(orders), await deps.db.select().from(orderRefunds)]
    return row.kind === 'refund' ? made.length === 1 : order!.state === 'paid'
  }

  errors[row.call] = row.error
  for (let tries = 0; tries < 2; tries++) await expect(send()).rejects.toBe(row.error)
  expect([await isHandled(), await deps.db.select().from(webhookEvents)]).toEqual([false, []])
  errors[row.call] = undefined
  for (let tries = 0; tries < 2; tries++) expect((await send()).status).toBe(200)
  expect([await isHandled(), await deps.db.select().from(webhookEvents)]).toMatchObject([true, [{ id: 'evt_1' }]])
})
