export type RefusalCode =
  | 'invalid'
  | 'wrong-credentials'
  | 'wrong-code' // of the second factor
  | 'unauthenticated' // not signed in
  | 'forbidden' // another user's, or the wrong role
  | 'not-found'
  | 'conflict' // the current state does not allow it
  | 'changed' // since the caller has read it
  | 'too-many'
  | 'unavailable' // the database or a provider is down; nothing was changed

interface RefusalDetails {
  fields?: Record<string, string[]>
  retryAfter?: number
  isUsed?: boolean
  limit?: string | undefined
  cause?: unknown
}

/** Thrown by a command that refuses. The message is public. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  /** Messages by form field name. */
  readonly fields: Record<string, string[]>
  /** Seconds. */
  readonly retryAfter: number | undefined
  /** The `submissionId` was used for something else: the same input works with a new one. */
  readonly isUsed: boolean
  /** The key of the exceeded rate limit. */
  readonly limit: string | undefined

  constructor(
    code: RefusalCode,
    message: string,
    { fields = {}, retryAfter, isUsed = false, limit, cause }: RefusalDetails = {},
  ) {
    super(message, { cause })
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
    this.isUsed = isUsed
    this.limit = limit
  }
}

/** What a caller has seen of a thing before it changes it; null: something else than there is. Undefined: it does not matter. */
export type Seen = string | null | undefined

export function changedSinceSeen(): Refusal {
  return new Refusal('changed', 'It has changed since you read it. Read it again.')
}
