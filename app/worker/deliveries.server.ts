import { deliverPendingEmails } from '../store/operations/deliver-email.server'
import { deliverWebhooks } from '../store/integrations/webhook-deliveries.server'
import { readLog } from '../store/operations/run-readers.server'
import type { ContextStep } from '../http/step'
import type { AppLoadContext } from '@remix-run/cloudflare'

/** Milliseconds: a Worker may end 30 seconds after its response. */
const longestRun = 20_000

interface Run {
  isUnderWay: () => boolean
  /** After the response. A run that is under way goes on instead. */
  soon: (context: AppLoadContext) => void
}

interface Current {
  startedAt: number
  /** Somebody has asked for a run since it began, or since it last looked. */
  isWanted: boolean
}

/** One run at a time in an isolate; `again`: somebody has asked for one meanwhile. */
function oneAtATime(run: (context: AppLoadContext, again: (isMore?: boolean) => boolean) => Promise<unknown>): Run {
  let current: Current | null = null
  const isUnderWay = () => current !== null && current.startedAt > Date.now() - longestRun
  function soon(context: AppLoadContext): void {
    if (current && isUnderWay()) {
      current.isWanted = true
      return
    }
    const own: Current = (current = { startedAt: Date.now(), isWanted: false })
    const again = (isMore = false) => {
      const isWanted = (own.isWanted || isMore) && own.startedAt > Date.now() - longestRun
      own.isWanted = false
      return isWanted
    }
    context.later(async () => {
      try {
        await run(context, again)
      } finally {
        if (current === own) current = null
        // Asked for after the run has looked the last time.
        if (own.isWanted) soon(context)
      }
    })
  }
  return { isUnderWay, soon }
}

/** The readers of the log, and what they enqueue: emails, and beside them webhooks, of which a slow receiver delays none. */
export function createDeliveries(): { deliverAfterwards: ContextStep } {
  const webhooks = oneAtATime((context, again) => deliverWebhooks(context, () => again()))
  const onWebhooks = (context: AppLoadContext) => () => webhooks.soon(context)
  const emails = oneAtATime((context, again) =>
    deliverPendingEmails(context, { again, onWebhooks: onWebhooks(context) }),
  )
  /** While a mail server takes its time, webhooks and figures do not wait for it. */
  const log = oneAtATime(async (context, again) => {
    do if (await readLog(context)) webhooks.soon(context)
    while (again())
  })
  return {
    async deliverAfterwards(request, context, next) {
      const response = await next(request)
      if (context.hasNews) {
        if (emails.isUnderWay()) log.soon(context)
        emails.soon(context)
      }
      return response
    },
  }
}
