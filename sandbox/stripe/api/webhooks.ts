import Stripe from 'stripe'
import { stripeSecretKey, stripeWebhookSecret } from '../../keys'
import type { FaultController } from '../../faults'
import type { StateFile } from '../../state-file'
import { seconds } from '../core/ids'
import type { Account, StoredEvent, WebhookEvent } from '../core/types'

/** Milliseconds. Stripe itself retries for three days. */
const retryDelays = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]
const lateMs = 3_000
const reorderMs = 400
const timeoutMs = 15_000

interface WebhookOptions {
  account: Account
  stateFile: StateFile
  faults: FaultController
  webhookUrl: () => string
  log: (line: string) => void
}

interface Webhooks {
  send(event: WebhookEvent): void
  resume(): void
  stop(): void
}

/** At least once, in no guaranteed order. */
export function createWebhooks({ account, stateFile, faults, webhookUrl, log }: WebhookOptions): Webhooks {
  const { webhooks } = new Stripe(stripeSecretKey, { telemetry: false })
  const stopped = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  let batch: WebhookEvent[] = []
  let reachable = true

  function schedule(delayMs: number, run: () => unknown) {
    if (stopped.signal.aborted) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, delayMs)
    timers.add(timer)
  }

  function storeDelivery(event: WebhookEvent, delivery: StoredEvent['delivery']) {
    // One event can be delivered twice: a success wins.
    if (account.events.get(event.id)?.delivery === 'delivered') return
    account.events.set(event.id, { event, delivery })
  }

  /** Logs only the third failure: the shop may still be starting. */
  async function post(event: WebhookEvent, attempt: number): Promise<boolean> {
    let failure: string
    try {
      const payload = JSON.stringify(event)
      const signature = await webhooks.generateTestHeaderStringAsync({
        payload,
        secret: stripeWebhookSecret,
        timestamp: seconds(account),
      })
      const response = await fetch(webhookUrl(), {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
        body: payload,
        // Stripe does not follow redirects.
        redirect: 'manual',
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]),
      })
      await response.body?.cancel()
      if (response.ok) {
        reachable = true
        return true
      }
      failure = `answered ${response.status}`
    } catch (error) {
      failure = `was not reached (${error instanceof Error ? error.message : String(error)})`
    }
    if (reachable && attempt === 2) {
      reachable = false
      log(`stripe: the shop ${failure} for ${event.type}, ${attempt + 1} times so far`)
    }
    return false
  }

  async function deliver(event: WebhookEvent, attempt = 0): Promise<void> {
    const delivered = await post(event, attempt)
    if (stopped.signal.aborted) return
    if (delivered) {
      storeDelivery(event, 'delivered')
      stateFile.write()
      return
    }
    const delay = retryDelays[attempt]
    if (delay === undefined) {
      log(`stripe: ${event.type} ${event.id} was not taken in ${attempt + 1} tries`)
      storeDelivery(event, 'failed')
      stateFile.write()
      return
    }
    schedule(delay, () => deliver(event, attempt + 1))
  }

  async function deliverBatchReversed() {
    const events = batch.reverse()
    batch = []
    for (const event of events) await deliver(event)
  }

  return {
    send(event) {
      const mode = faults.of('stripe').webhooks
      storeDelivery(event, mode === 'drop' ? 'lost' : 'pending')
      if (mode === 'drop') return
      if (mode === 'reorder') {
        batch.push(event)
        if (batch.length === 1) schedule(reorderMs, deliverBatchReversed)
        return
      }
      schedule(mode === 'late' ? lateMs : 0, () => deliver(event))
      if (mode === 'twice') schedule(0, () => deliver(event))
    },

    resume() {
      for (const { event, delivery } of account.events.values())
        if (delivery === 'pending') schedule(0, () => deliver(event))
    },

    stop() {
      stopped.abort()
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
