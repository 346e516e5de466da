import type { EmailProvider } from '../store/deps'

export interface ResendAccount {
  /** Where the provider's API is: `https://api.resend.com`. */
  apiUrl: string
  apiKey: string
  /** The shop as sender: `Cadenza <orders@cadenza.example>`. */
  from: string
}

/** Milliseconds that one letter may take. */
const timeout = 10_000

/** Resend refuses a request without a User-Agent, and a Worker's fetch sends none (resend.com/docs/api-reference). */
const userAgent = 'cadenza/1.0'

/**
 * The mail provider, over Resend's HTTP API (resend.com/docs/api-reference/emails/send-email). The letter's id is its
 * idempotency key: the provider delivers it once, though we may have to ask twice. Throws when it was not taken.
 */
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
        signal: AbortSignal.timeout(timeout),
      })
      if (response.ok) return
      const reason = await response.text()
      if (response.status === 409 && isDuplicate(reason)) return
      throw new Error(`The mail provider answered ${response.status}: ${reason.slice(0, 200)}`)
    },
  }
}

/**
 * True of the answer to a letter whose id the provider knows with other words: it took the letter before, we did not live to
 * write that down, and what the letter tells of has gone on since (the order that was placed is paid by now).
 */
function isDuplicate(reason: string): boolean {
  return reason.includes('"invalid_idempotent_request"')
}
