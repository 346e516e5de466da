import { isBrokenRule } from '../../db/open.server'
import { Refusal } from '../refusal'

/** Throws a refusal if the database found that the role ended between the check of the request and its write. */
export function refuseFormerAdmin(error: unknown): never {
  if (!isBrokenRule(error, 'an admin ships and refunds')) throw error
  throw new Refusal('forbidden', 'You are no longer an admin. Nothing was changed.')
}
