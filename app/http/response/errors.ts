import type { RefusalCode } from '../../store/shared/refusal'

const statuses: Record<RefusalCode, number> = {
  invalid: 422,
  'wrong-credentials': 401,
  'wrong-code': 401,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  changed: 412,
  'too-many': 429,
  unavailable: 503,
}

export function statusOf(code: RefusalCode): number {
  return statuses[code]
}

type ErrorCode = RefusalCode | 'method-not-allowed' | 'internal' | (string & {})

/** The error format of the API (R25). */
export function errorJson(
  status: number,
  code: ErrorCode,
  message: string,
  headers?: Record<string, string>,
  fields: Record<string, string[]> = {},
): Response {
  const error = Object.keys(fields).length > 0 ? { code, message, fields } : { code, message }
  return Response.json({ error }, { status, headers })
}
