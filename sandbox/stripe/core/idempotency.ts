import { json } from '../../json-response'
import type { StateFile } from '../../state-file'
import { joinNames, type Form } from './form'
import { ApiError, invalid } from './refusal'
import type { Account, StoredResponse } from './types'

export interface Outcome {
  status: number
  body: unknown
  executed: boolean
}

interface IdempotentRequest {
  account: Account
  stateFile: StateFile
  running: Set<string>
  key: string
  request: string
  requestId: string
}

const day = 24 * 3600 * 1000

export async function runOnce(
  { account, stateFile, running, key, request, requestId }: IdempotentRequest,
  run: () => Promise<Outcome>,
): Promise<Response> {
  if (key.length > 255) throw invalid('The idempotency key must be at most 255 characters.')
  const earlier = account.answers.get(key)
  if (earlier && earlier.at > account.now() - day) {
    if (earlier.request !== request) {
      throw new ApiError(
        400,
        {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        },
        false,
      )
    }
    return storedResponse(earlier, { 'idempotent-replayed': 'true', 'original-request': earlier.requestId })
  }
  if (running.has(key)) {
    throw new ApiError(
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
    const { status, body, executed } = await run()
    const response: StoredResponse = { request, requestId, status, body: JSON.stringify(body), at: account.now() }
    if (executed) account.answers.set(key, response)
    stateFile.write()
    return storedResponse(response)
  } finally {
    running.delete(key)
  }
}

export function fingerprint(method: string, path: string, form: Form): string {
  return `${method} ${path} ${formPairs(form).sort().join('&')}`
}

function formPairs(form: Form, parents: string[] = []): string[] {
  return Object.entries(form).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [`${encodeURIComponent(joinNames([...parents, name]))}=${encodeURIComponent(value)}`]
      : formPairs(value, [...parents, name]),
  )
}

function storedResponse({ status, body }: StoredResponse, headers: Record<string, string> = {}): Response {
  // A retry with this key would only repeat the stored 500.
  return json(status, JSON.parse(body), status >= 500 ? { ...headers, 'stripe-should-retry': 'false' } : headers)
}
