import { defaultWords, shopName } from '../shop-name'
import { EmailPause, ProviderError, type EmailProvider } from '../store/deps'
import { cutText } from '../store/shared/text'

export interface ResendAccount {
  apiUrl: string
  apiKey: string
  /** An address, with a name or without. */
  from: string
  /** The account's limit, which is 2 unless Resend has raised it: resend.com/docs/api-reference/rate-limit. 0: none. */
  perSecond?: number
}

const timeout = 10_000

/** Milliseconds, where a 429 does not say how long, and at most: a quota of a day is asked for again each hour. */
const [usualPause, longestPause] = [60_000, 3_600_000]

/** Resend refuses a request without a User-Agent, and a Worker's fetch sends none (resend.com/docs/api-reference). */
const userAgent = 'cadenza/1.0'

/** When this isolate may send again. Others share the limit: what is too much for all of them is a 429. */
let nextAt = 0

/** Resend's HTTP API: resend.com/docs/api-reference/emails/send-email. The email's id is the idempotency key. */
export function resendEmail({ apiUrl, apiKey, from, perSecond = 0 }: ResendAccount): EmailProvider {
  return {
    async send({ id, recipient, replyTo, unsubscribe, subject, text, html }) {
      if (perSecond > 0) await waitForTurn(1000 / perSecond)
      const response = await fetch(`${apiUrl}/emails`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'user-agent': userAgent,
          'idempotency-key': id,
        },
        body: JSON.stringify({
          from: senderOf(from),
          to: [recipient],
          ...(replyTo && { reply_to: replyTo }),
          ...(unsubscribe && { headers: unsubscribeHeaders(unsubscribe) }),
          subject,
          text,
          html,
        }),
        // The key must not follow a redirect.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      }).catch((cause: unknown) => {
        throw new ProviderError('Resend does not answer', { final: false, cause })
      })
      if (response.ok) return
      const reason = await response.text()
      if (response.status === 409 && wasAlreadySent(reason)) return
      const message = `Resend returned ${response.status}: ${cutText(reason, 200)}`
      if (response.status === 429) throw new EmailPause(message, pauseOf(response.headers.get('retry-after')))
      throw new ProviderError(message, { final: response.status < 500 })
    },
  }
}

/** RFC 8058: email programs show a button for it. */
function unsubscribeHeaders(link: string) {
  return { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

async function waitForTurn(distance: number): Promise<void> {
  const now = Date.now()
  const wait = Math.max(0, nextAt - now)
  nextAt = now + wait + distance
  await new Promise((resolve) => setTimeout(resolve, wait))
}

/** With the name of the shop, unless the deployment has set another one. */
function senderOf(from: string): string {
  const [, name, address] = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(from) ?? [from, '', from.trim()]
  if (name && name !== defaultWords.name) return from
  const isWord = /^[\p{L}\p{N} ]+$/u.test(shopName)
  return `${isWord ? shopName : JSON.stringify(shopName)} <${address}>`
}

/** Seconds, or a date (RFC 9110). */
function pauseOf(retryAfter: string | null): number {
  const given = Number(retryAfter) * 1000 || Date.parse(retryAfter ?? '') - Date.now()
  return Number.isNaN(given) ? usualPause : Math.min(Math.max(given, 1000), longestPause)
}

/** Resend accepted this id before, with another text: the order has changed since, and we had crashed. */
function wasAlreadySent(reason: string): boolean {
  return reason.includes('"invalid_idempotent_request"')
}
