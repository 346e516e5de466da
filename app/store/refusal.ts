/** Why a command was not carried out; `http/refusals` turns it into a status. */
export type RefusalCode =
  | 'invalid' // the input breaks a rule of its own
  | 'wrong-credentials'
  | 'unauthenticated' // not signed in
  | 'forbidden' // somebody else's, or not this role
  | 'not-found'
  | 'conflict' // the state of the shop is not what the input takes for granted
  | 'too-many' // tried too often: wait
  | 'unavailable' // something that the command needs is away: what was asked for was not done

interface RefusalDetails {
  fields?: Record<string, string[]>
  retryAfter?: number
  isUsed?: boolean
  /** What made it impossible, for the log. */
  cause?: unknown
}

/** A command that refuses says so by throwing this, in words for the person who asked. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  /** What is wrong with which input, by its name in the form. */
  readonly fields: Record<string, string[]>
  /** Seconds after which it is worth trying again, when that is known. */
  readonly retryAfter: number | undefined
  /** The submission number has created something else: the same input goes through under a new one. */
  readonly isUsed: boolean

  constructor(
    code: RefusalCode,
    message: string,
    { fields = {}, retryAfter, isUsed = false, cause }: RefusalDetails = {},
  ) {
    super(message, { cause })
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
    this.isUsed = isUsed
  }
}
