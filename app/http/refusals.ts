import type { RefusalCode } from '../store/refusal'

const statuses: Record<RefusalCode, number> = {
  invalid: 422,
  'wrong-credentials': 401,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-many': 429,
  unavailable: 503,
}

/** The status that a refusal is answered with (R25). */
export function statusOf(code: RefusalCode): number {
  return statuses[code]
}
