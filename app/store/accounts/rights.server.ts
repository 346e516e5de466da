import { Refusal } from '../shared/refusal'
import { may, type Right } from './rights'
import type { Role } from './sign-in'

/** Whoever reads what only some may read: the role of the request, which the session's row has given. */
export interface Reader {
  role: Role
}

/** For queries: refuses a reader without this right, also where a page or a call has forgotten to ask. */
export function requireMay(reader: Reader, right: Right): void {
  if (!may(reader, right)) throw new Refusal('forbidden', 'Your role does not allow this.')
}
