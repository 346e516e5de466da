import { json } from '../json-response'
import type { Faults } from '../faults'
import { claimsOf, picture } from './account'
import { refusedView } from './accounts-view'
import { authorizationPage } from './authorization'
import { openGrants } from './grants'
import { issuer, signingKey } from './id-token'
import { Refused, refusalAnswer, unsupported } from './refusal'
import { tokenAnswer } from './token'

/** https://developers.google.com/identity/openid-connect. Only the origin differs. */
export function fakeGoogle({ now, faults, log }: { now: () => number; faults: Faults; log: (line: string) => void }) {
  const grants = openGrants(now)

  function userinfo(request: Request): Response {
    const token = /^bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const grant = token === undefined ? undefined : grants.grantOf(token)
    if (!grant) throw new Refused(401, 'invalid_token', 'Invalid Credentials')
    return json(200, claimsOf(grant.account, grant.scopes, new URL(request.url).origin))
  }

  async function refusalsAnswered(
    request: Request,
    act: () => Response | Promise<Response>,
    inWords = refusalAnswer,
  ): Promise<Response> {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      log(`google: refused ${request.method} ${new URL(request.url).pathname}: ${error.message}`)
      return inWords(error)
    }
  }

  async function route(request: Request): Promise<Response> {
    const { origin, pathname } = new URL(request.url)
    const call = `${request.method} ${pathname}`
    const around = (effect: () => Response | Promise<Response>) =>
      faults.around('google', request, () => refusalsAnswered(request, effect), toldToFail)

    if (call === 'GET /o/oauth2/v2/auth' || call === 'POST /o/oauth2/v2/auth') {
      // Never a redirect: the redirect_uri is not verified yet.
      return refusalsAnswered(request, () => authorizationPage(grants, request), refusedView)
    }
    if (call === 'POST /token') return around(() => tokenAnswer(grants, request, now))
    if (call === 'GET /oauth2/v3/userinfo') return around(() => userinfo(request))
    if (call === 'GET /oauth2/v3/certs') return json(200, { keys: [(await signingKey()).jwk] })
    if (call === 'GET /.well-known/openid-configuration') return json(200, configuration(origin))
    const subject = /^GET \/a\/(\d{21})=s96-c$/.exec(call)?.[1]
    if (subject !== undefined) return picture(subject)
    throw unsupported(call)
  }

  return (request: Request) => refusalsAnswered(request, () => route(request))
}

function toldToFail(status: number): Response {
  return json(status, { error: 'internal_failure', error_description: 'The sandbox was told to fail.' })
}

function configuration(origin: string) {
  return {
    issuer,
    authorization_endpoint: `${origin}/o/oauth2/v2/auth`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/oauth2/v3/userinfo`,
    jwks_uri: `${origin}/oauth2/v3/certs`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: [
      'aud',
      'email',
      'email_verified',
      'exp',
      'family_name',
      'given_name',
      'iat',
      'iss',
      'name',
      'picture',
      'sub',
    ],
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code'],
  }
}
