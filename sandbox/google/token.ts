import { json } from '../json-response'
import { googleClientId, googleClientSecret } from '../keys'
import { claimsOf } from './account'
import { tokenSeconds, type Grants } from './grants'
import { idToken, signingKey } from './id-token'
import { invalid, readParameters, required, type Parameters } from './parameters'
import { Refused } from './refusal'

const known = ['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret', 'code_verifier'] as const
type Form = Parameters<(typeof known)[number]>

export async function tokenAnswer(grants: Grants, request: Request, now: () => number): Promise<Response> {
  const { origin, search } = new URL(request.url)
  if (search !== '') throw invalid('Parameters belong in the body, not in the address.')
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') throw invalid('The body must be a form, urlencoded.')
  const form = readParameters(new URLSearchParams(await request.text()), known)
  const clientId = requireClient(form, request.headers.get('authorization'))
  const grantType = required(form, 'grant_type')
  if (grantType !== 'authorization_code') {
    throw new Refused(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`)
  }
  const code = required(form, 'code')
  const redirectUri = required(form, 'redirect_uri')
  const key = await signingKey()
  // No await from here on, so that two requests with one code cannot both succeed.
  const { grant, token } = grants.exchange({ code, clientId, redirectUri, verifier: form.code_verifier })
  const { account, scopes, nonce } = grant
  return json(200, {
    access_token: token,
    expires_in: tokenSeconds,
    scope: scopes.join(' '),
    token_type: 'Bearer',
    id_token: idToken(key, {
      claims: claimsOf(account, scopes, origin),
      clientId,
      nonce,
      accessToken: token,
      now: now(),
    }),
  })
}

function requireClient(form: Form, authorization: string | null): string {
  const basic = authorization === null ? null : readBasic(authorization)
  if (basic && (form.client_secret !== undefined || (form.client_id ?? basic.id) !== basic.id)) {
    throw invalid('The client must say who it is in one way only.')
  }
  const { id, secret } = basic ?? { id: form.client_id, secret: form.client_secret }
  if (id === undefined) throw invalid('Could not determine client ID from request.')
  if (id !== googleClientId) throw new Refused(401, 'invalid_client', 'The OAuth client was not found.')
  if (secret === undefined) throw invalid('client_secret is missing.')
  if (secret !== googleClientSecret) throw new Refused(401, 'invalid_client', 'Unauthorized')
  return id
}

function readBasic(authorization: string): { id: string | undefined; secret: string | undefined } {
  const credentials = /^basic ([\w+/=]+)$/i.exec(authorization)?.[1]
  if (credentials === undefined) throw invalid('The authorization header is not Basic.')
  const [id, secret] = Buffer.from(credentials, 'base64').toString().split(':')
  return { id, secret }
}
