import { json } from '../json-response'
import type { Faults } from '../faults'
import { claimsOf, picture } from './account'
import { refusedView } from './accounts-view'
import { authorizationPage } from './authorization'
import { openGrants } from './grants'
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
    const { pathname } = new URL(request.url)
    const call = `${request.method} ${pathname}`
    const around = (effect: () => Response | Promise<Response>) =>
      faults.around('google', request, () => refusalsAnswered(request, effect), toldToFail)

    if (call === 'GET /o/oauth2/v2/auth' || call === 'POST /o/oauth2/v2/auth') {
      // Never a redirect: the redirect_uri is not verified yet.
      return refusalsAnswered(request, () => authorizationPage(grants, request), refusedView)
    }
    if (call === 'POST /token') return around(() => tokenAnswer(grants, request))
    if (call === 'GET /oauth2/v3/userinfo') return around(() => userinfo(request))
    const subject = /^GET \/a\/(\d{21})=s96-c$/.exec(call)?.[1]
    if (subject !== undefined) return picture(subject)
    throw unsupported(call)
  }

  return (request: Request) => refusalsAnswered(request, () => route(request))
}

function toldToFail(status: number): Response {
  return json(status, { error: 'internal_failure', error_description: 'The sandbox was told to fail.' })
}
