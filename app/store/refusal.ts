/** Why a command was not carried out; `http/refusals` turns it into a status. */
export type RefusalCode =
  | 'invalid' // the input breaks a rule of its own
  | 'wrong-credentials'
  | 'forbidden' // somebody else's, or not this role
  | 'not-found'
  | 'conflict' // the state of the shop is not what the input takes for granted
  | 'unavailable' // something that the command needs is away; nothing was changed

/** A command that refuses says so by throwing this, in words for the person who asked. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  /** What is wrong with which input, by its name in the form. */
  readonly fields: Record<string, string[]>

  constructor(code: RefusalCode, message: string, fields: Record<string, string[]> = {}) {
    super(message)
    this.code = code
    this.fields = fields
  }
}
