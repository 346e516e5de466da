import type { EmailProvider } from '../store/deps'

export interface ResendAccount {
  apiUrl: string
  apiKey: string
  from: string
}

const timeout = 10_000

/** Resend refuses a request without a User-Agent, and a Worker's fetch sends none (resend.com/docs/api-reference). */
const userAgent = 'cadenza/1.0'

/** Resend's HTTP API: resend.com/docs/api-reference/emails/send-email. The email's id is the idempotency key. */
export function resendEmail({ apiUrl, apiKey, from }: ResendAccount): EmailProvider {
  return {
    async send({ id, recipient, replyTo, subject, text, html }) {
      const response = await fetch(`${apiUrl}/emails`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'user-agent': userAgent,
          'idempotency-key': id,
        },
        body: JSON.stringify({ from, to: [recipient], ...(replyTo && { reply_to: replyTo }), subject, text, html }),
        // The key must not follow a redirect.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      if (response.ok) return
      const reason = await response.text()
      if (response.status === 409 && wasAlreadySent(reason)) return
      throw new Error(`The email provider returned ${response.status}: ${reason.slice(0, 200)}`)
    },
  }
}

/** Resend accepted this id before, with another text: the order has changed since, and we had crashed. */
function wasAlreadySent(reason: string): boolean {
  return reason.includes('"invalid_idempotent_request"')
}
