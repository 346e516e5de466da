import type { Mail } from '../store/deps'

export interface MailAccount {
  /** Where the provider's API is: `https://api.resend.com`. */
  apiUrl: string
  apiKey: string
  /** The shop as sender: `Cadenza <orders@cadenza.example>`. */
  from: string
}

/** Milliseconds that one letter may take. */
const patience = 10_000

/**
 * The mail provider, over Resend's HTTP API (resend.com/docs/api-reference/emails/send-email). The letter's id is its
 * idempotency key: the provider delivers it once, though we may have to ask twice. A letter about an order is written anew each
 * time: when the order has moved on since a try whose answer got lost, the provider says that it has taken another letter
 * with this id. Throws when it was not taken.
 */
export function resendMail({ apiUrl, apiKey, from }: MailAccount): Mail {
  return {
    async send({ id, recipient, subject, text, html }) {
      const response = await fetch(`${apiUrl}/emails`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': id,
        },
        body: JSON.stringify({ from, to: [recipient], subject, text, html }),
        signal: AbortSignal.timeout(patience),
      })
      if (response.ok || (response.status === 409 && (await reasonOf(response)) === 'invalid_idempotent_request'))
        return
      throw new Error(`The mail provider answered ${response.status}`)
    },
  }
}

async function reasonOf(response: Response): Promise<unknown> {
  const answer = await response.json<{ name?: unknown } | null>().catch(() => null)
  return answer?.name
}
