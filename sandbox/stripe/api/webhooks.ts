import Stripe from 'stripe'
import { stripeSecretKey, stripeWebhookSecret } from '../../keys'
import type { Faults } from '../../faults'
import type { StateFile } from '../../state-file'
import { seconds } from '../core/ids'
import type { Account, KeptEvent, Told } from '../core/types'

/** Milliseconds. Stripe itself retries for three days. */
const retryDelays = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]
const lateness = 3_000
const gathering = 400
const patience = 15_000

interface Post {
  account: Account
  memory: StateFile
  faults: Faults
  webhookUrl: () => string
  log: (line: string) => void
}

interface Webhooks {
  send(event: Told): void
  resume(): void
  stop(): void
}

/** At least once, in no guaranteed order. */
export function createWebhooks({ account, memory, faults, webhookUrl, log }: Post): Webhooks {
  const { webhooks } = new Stripe(stripeSecretKey, { telemetry: false })
  const stopped = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  let gathered: Told[] = []
  let reachable = true

  function later(delayMs: number, act: () => unknown) {
    if (stopped.signal.aborted) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, delayMs)
    timers.add(timer)
  }

  function settle(event: Told, delivery: KeptEvent['delivery']) {
    // One event can be delivered twice: a success wins.
    if (account.events.get(event.id)?.delivery === 'delivered') return
    account.events.set(event.id, { event, delivery })
    memory.changed()
  }

  /** Logs only the third failure: the shop may still be starting. */
  async function post(event: Told, tries: number): Promise<boolean> {
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
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(patience)]),
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
    if (reachable && tries === 2) {
      reachable = false
      log(`stripe: the shop ${failure} for ${event.type}, ${tries + 1} times so far`)
    }
    return false
  }

  async function deliver(event: Told, tries = 0): Promise<void> {
    const taken = await post(event, tries)
    if (stopped.signal.aborted) return
    if (taken) {
      settle(event, 'delivered')
      return
    }
    const delay = retryDelays[tries]
    if (delay === undefined) {
      log(`stripe: ${event.type} ${event.id} was not taken in ${tries + 1} tries`)
      settle(event, 'failed')
      return
    }
    later(delay, () => deliver(event, tries + 1))
  }

  async function deliverReversed() {
    const events = gathered.reverse()
    gathered = []
    for (const event of events) await deliver(event)
  }

  return {
    send(event) {
      const mode = faults.of('stripe').webhooks
      settle(event, mode === 'drop' ? 'lost' : 'pending')
      if (mode === 'drop') return
      if (mode === 'reorder') {
        gathered.push(event)
        if (gathered.length === 1) later(gathering, deliverReversed)
        return
      }
      later(mode === 'late' ? lateness : 0, () => deliver(event))
      if (mode === 'twice') later(0, () => deliver(event))
    },

    resume() {
      for (const { event, delivery } of account.events.values())
        if (delivery === 'pending') later(0, () => deliver(event))
    },

    stop() {
      stopped.abort()
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
