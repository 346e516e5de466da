import { json } from '../json-response'
import { googleClientId, googleClientSecret } from '../keys'
import { tokenSeconds, type Grants } from './grants'
import { invalid, readParameters, required, type Parameters } from './parameters'
import { OAuthError } from './refusal'

const parameterNames = ['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret', 'code_verifier'] as const
type Form = Parameters<(typeof parameterNames)[number]>

export async function exchangeCode(grants: Grants, request: Request): Promise<Response> {
  const { search } = new URL(request.url)
  if (search !== '') throw invalid('Parameters belong in the body, not in the address.')
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') throw invalid('The body must be a form, urlencoded.')
  const form = readParameters(new URLSearchParams(await request.text()), parameterNames)
  const clientId = requireClient(form)
  const grantType = required(form, 'grant_type')
  if (grantType !== 'authorization_code') {
    throw new OAuthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`)
  }
  const code = required(form, 'code')
  const redirectUri = required(form, 'redirect_uri')
  const { grant, token } = grants.exchange({ code, clientId, redirectUri, verifier: form.code_verifier })
  return json(200, {
    access_token: token,
    expires_in: tokenSeconds,
    scope: grant.scopes.join(' '),
    token_type: 'Bearer',
  })
}

function requireClient({ client_id: id, client_secret: secret }: Form): string {
  if (id === undefined) throw invalid('Could not determine client ID from request.')
  if (id !== googleClientId) throw new OAuthError(401, 'invalid_client', 'The OAuth client was not found.')
  if (secret === undefined) throw invalid('client_secret is missing.')
  if (secret !== googleClientSecret) throw new OAuthError(401, 'invalid_client', 'Unauthorized')
  return id
}
