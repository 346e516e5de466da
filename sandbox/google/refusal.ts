import { json } from '../json-response'

/** What Google answers when it says no: `error` is a word of OAuth's, `message` its description. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    message: string,
  ) {
    super(message)
  }
}

/** Something that Google may well do, and the sandbox does not. */
export function unsupported(what: string): Refused {
  return new Refused(501, 'sandbox_unsupported', `The sandbox does not know ${what}.`)
}

export function refusalAnswer({ status, error, message }: Refused): Response {
  const headers: Record<string, string> =
    status === 401 ? { 'www-authenticate': error === 'invalid_client' ? 'Basic' : `Bearer error="${error}"` } : {}
  return json(status, { error, error_description: message }, headers)
}
