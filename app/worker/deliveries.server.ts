import type { AppLoadContext } from '@remix-run/cloudflare'
import { isSafe } from '../http/request/csrf.server'
import { deliverPendingEmails, type EmailClaim } from '../store/operations/deliver-email.server'
import { deliverWebhooks } from '../store/integrations/webhook-deliveries.server'
import type { ContextStep } from '../http/step'

/** Milliseconds: a Worker may end 30 seconds after its response. */
const longestDelivery = 20_000

interface Delivery {
  startedAt: number
  /** A request has ended since the emails were claimed. */
  again: boolean
}

interface EmailDelivery extends Delivery {
  /** What writes of requests have claimed along. */
  claims: EmailClaim[]
}

/** Emails and webhooks, after the response. */
export function createDeliveries() {
  /** One delivery at a time: it takes the emails of requests that end meanwhile. */
  let delivery: EmailDelivery | null = null
  function isDelivering(): boolean {
    return delivery !== null && delivery.startedAt > Date.now() - longestDelivery
  }
  function deliverSoon(context: AppLoadContext, claims: EmailClaim[]): void {
    if (delivery && isDelivering()) {
      delivery.claims.push(...claims)
      delivery.again ||= context.mayHaveEmails
      // The emails' next look-up may be behind a mail server that takes its time.
      if (hasPosted) postSoon(context)
      return
    }
    const own: EmailDelivery = (delivery = { startedAt: Date.now(), again: false, claims })
    context.later(async () => {
      try {
        const again = (isFull: boolean) => {
          const isMore = (isFull || own.again) && own.startedAt > Date.now() - longestDelivery
          own.again = false
          return isMore
        }
        await deliverPendingEmails(context, { again, claims, onWebhooks: () => postSoon(context) })
      } finally {
        if (delivery === own) delivery = null
        // More came while the last ones were marked as sent.
        if (own.again || claims.length > 0) deliverSoon(context, claims)
      }
    })
  }

  /** Webhooks, beside the emails: a slow receiver delays none. One run at a time, as with emails. */
  let posting: Delivery | null = null
  let hasPosted = false
  function postSoon(context: AppLoadContext): void {
    hasPosted = true
    if (posting && posting.startedAt > Date.now() - longestDelivery) {
      posting.again = true
      return
    }
    const own: Delivery = (posting = { startedAt: Date.now(), again: false })
    context.later(async () => {
      try {
        await deliverWebhooks(context, () => {
          const isMore = own.again
          own.again = false
          return isMore
        })
      } finally {
        if (posting === own) posting = null
      }
    })
  }

  const deliverAfterwards: ContextStep = async (request, context, next) => {
    const response = await next(request)
    // A refused password or code may enqueue an email for the owner of the account.
    const maySend = response.status < 400 || [401, 429].includes(response.status)
    const claims = await context.takeClaims()
    const hasClaimed = claims.some(({ rows, hasWebhooks }) => rows.length > 0 || hasWebhooks)
    if (hasClaimed || (!isSafe(request) && maySend && context.mayHaveEmails)) deliverSoon(context, claims)
    return response
  }
  return { isDelivering, deliverAfterwards }
}
