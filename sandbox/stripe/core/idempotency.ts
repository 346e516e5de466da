import { json } from '../../json-response'
import { joinNames, type Form } from './form'
import { Refused, invalid } from './refusal'
import type { Account, KeptAnswer } from './types'

export interface Outcome {
  status: number
  body: unknown
  began: boolean
}

interface Keyed {
  account: Account
  running: Set<string>
  key: string
  request: string
  requestId: string
}

const day = 24 * 3600 * 1000

export async function once(
  { account, running, key, request, requestId }: Keyed,
  run: () => Promise<Outcome>,
): Promise<Response> {
  if (key.length > 255) throw invalid('The idempotency key must be at most 255 characters.')
  const earlier = account.answers.get(key)
  if (earlier && earlier.at > account.now() - day) {
    if (earlier.request !== request) {
      throw new Refused(
        400,
        {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        },
        false,
      )
    }
    return answerOf(earlier, { 'idempotent-replayed': 'true', 'original-request': earlier.requestId })
  }
  if (running.has(key)) {
    throw new Refused(
      409,
      {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotency Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      },
      false,
    )
  }
  running.add(key)
  try {
    const { status, body, began } = await run()
    const answer: KeptAnswer = { request, requestId, status, body: JSON.stringify(body), at: account.now() }
    if (began) account.answers.set(key, answer)
    return answerOf(answer)
  } finally {
    running.delete(key)
  }
}

export function fingerprint(method: string, path: string, form: Form): string {
  return `${method} ${path} ${pairsOf(form).sort().join('&')}`
}

function pairsOf(form: Form, above: string[] = []): string[] {
  return Object.entries(form).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [`${encodeURIComponent(joinNames([...above, name]))}=${encodeURIComponent(value)}`]
      : pairsOf(value, [...above, name]),
  )
}

function answerOf({ status, body }: KeptAnswer, headers: Record<string, string> = {}): Response {
  // A retry with this key would only repeat the stored 500.
  return json(status, JSON.parse(body), status >= 500 ? { ...headers, 'stripe-should-retry': 'false' } : headers)
}
