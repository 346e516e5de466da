import { json } from '../json-response'

export class OAuthError extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    message: string,
  ) {
    super(message)
  }
}

export function unsupported(what: string): OAuthError {
  return new OAuthError(501, 'sandbox_unsupported', `The sandbox does not know ${what}.`)
}

export function errorResponse({ status, error, message }: OAuthError): Response {
  const headers: Record<string, string> =
    status === 401 ? { 'www-authenticate': error === 'invalid_client' ? 'Basic' : `Bearer error="${error}"` } : {}
  return json(status, { error, error_description: message }, headers)
}
