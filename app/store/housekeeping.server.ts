import { forgetOldTokens } from './access-tokens.server'
import type { Deps } from './deps'
import { sendWaitingMail } from './outbox.server'
import { forgetOldMailTokens } from './customers.server'
import { forgetOldEvents, reconcilePayments } from './payments.server'
import { forgetOldSessions } from './sessions.server'
import { forgetOldTries } from './throttle.server'

/** What the cron trigger does every few minutes. */
export async function keepHouse(deps: Pick<Deps, 'db' | 'now' | 'mail' | 'payments'>): Promise<void> {
  await reconcilePayments(deps)
  await sendWaitingMail(deps)
  await forgetOldSessions(deps)
  await forgetOldTokens(deps)
  await forgetOldTries(deps)
  await forgetOldMailTokens(deps)
  await forgetOldEvents(deps)
}
