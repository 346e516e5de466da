import { isBrokenRule } from '../../db/open.server'
import type { Role } from '../accounts/sign-in'
import { Refusal } from '../shared/refusal'

/** Throws a refusal if the database found that the role ended between the check of the request and its write. */
export function refuseFormerStaff(error: unknown, role?: Role): never {
  if (!isBrokenRule(error, 'an admin ships and refunds')) throw error
  throw formerStaff(role)
}

/** `role`: that of the check. */
export function formerStaff(role: Role = 'admin'): Refusal {
  const message = role === 'admin' ? 'You are no longer an admin.' : 'Your role no longer includes this.'
  return new Refusal('forbidden', `${message} Nothing was changed.`)
}
