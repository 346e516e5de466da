import { json } from '../json-response'
import type { FaultController } from '../faults'
import { claimsOf, picture } from './account'
import { errorView } from './accounts-view'
import { authorizationPage } from './authorization'
import { createGrants } from './grants'
import { OAuthError, errorResponse, unsupported } from './refusal'
import { exchangeCode } from './token'

/** https://developers.google.com/identity/openid-connect. Only the origin differs. */
export function fakeGoogle({
  now,
  faults,
  log,
}: {
  now: () => number
  faults: FaultController
  log: (line: string) => void
}) {
  const grants = createGrants(now)

  function userinfo(request: Request): Response {
    const token = /^bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const grant = token === undefined ? undefined : grants.grantOf(token)
    if (!grant) throw new OAuthError(401, 'invalid_token', 'Invalid Credentials')
    return json(200, claimsOf(grant.account, grant.scopes, new URL(request.url).origin))
  }

  async function catchErrors(
    request: Request,
    run: () => Response | Promise<Response>,
    toResponse = errorResponse,
  ): Promise<Response> {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      log(`google: refused ${request.method} ${new URL(request.url).pathname}: ${error.message}`)
      return toResponse(error)
    }
  }

  async function route(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const call = `${request.method} ${pathname}`
    const withFaults = (effect: () => Response | Promise<Response>) =>
      faults.run('google', request, () => catchErrors(request, effect), injectedError)

    if (call === 'GET /o/oauth2/v2/auth' || call === 'POST /o/oauth2/v2/auth') {
      // Never a redirect: the redirect_uri is not verified yet.
      return catchErrors(request, () => authorizationPage(grants, request), errorView)
    }
    if (call === 'POST /token') return withFaults(() => exchangeCode(grants, request))
    if (call === 'GET /oauth2/v3/userinfo') return withFaults(() => userinfo(request))
    const subject = /^GET \/a\/(\d{21})=s96-c$/.exec(call)?.[1]
    if (subject !== undefined) return picture(subject)
    throw unsupported(call)
  }

  return (request: Request) => catchErrors(request, () => route(request))
}

function injectedError(status: number): Response {
  return json(status, { error: 'internal_failure', error_description: 'The sandbox fails on purpose.' })
}
