import { googleClientId } from '../keys'
import { demoAccounts, neededScopes, scopes, type Account } from './account'
import { accountsView, type Typed } from './accounts-view'
import type { Grants } from './grants'
import { invalid, only, readParameters, required } from './parameters'
import { Refused, unsupported } from './refusal'

interface Question {
  clientId: string
  redirectUri: string
  state: string
  challenge: string
  scopes: string[]
  loginHint: string
}

export async function authorizationPage(grants: Grants, request: Request): Promise<Response> {
  const question = readQuestion(new URL(request.url).searchParams)
  if (request.method === 'POST') return answerOf(grants, question, new URLSearchParams(await request.text()))
  const { redirectUri, loginHint } = question
  return accountsView({ redirectUri, typed: { email: loginHint, name: '', verified: true } })
}

function readQuestion(given: URLSearchParams): Question {
  const parameters = readParameters(given, [
    'response_type',
    'client_id',
    'redirect_uri',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
    'login_hint',
    'access_type',
    'include_granted_scopes',
    'prompt',
    'response_mode',
    'hl',
  ])
  const clientId = required(parameters, 'client_id')
  if (clientId !== googleClientId) throw new Refused(401, 'invalid_client', 'The OAuth client was not found.')
  const redirectUri = required(parameters, 'redirect_uri')
  requireCallback(redirectUri)
  required(parameters, 'response_type')
  only(parameters, 'response_type', ['code'])
  only(parameters, 'response_mode', ['query'])
  only(parameters, 'access_type', ['online'])
  only(parameters, 'include_granted_scopes', ['false', 'true'])
  only(parameters, 'prompt', ['select_account', 'consent', 'select_account consent', 'consent select_account'])
  const challenge = required(parameters, 'code_challenge')
  if (!/^[\w-]{43}$/.test(challenge)) throw invalid('code_challenge is not the S256 of a code_verifier.')
  const method = required(parameters, 'code_challenge_method')
  if (method !== 'S256') throw invalid(`Invalid code_challenge_method: ${method}. It must be S256.`)
  return {
    clientId,
    redirectUri,
    state: required(parameters, 'state'),
    challenge,
    scopes: readScopes(required(parameters, 'scope')),
    loginHint: parameters.login_hint ?? '',
  }
}

/** Google compares with a registered list; here any loopback origin is allowed. */
function requireCallback(redirectUri: string): void {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : null
  const known =
    url &&
    ['http:', 'https:'].includes(url.protocol) &&
    ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname) &&
    redirectUri === url.origin + url.pathname &&
    url.pathname.endsWith('/auth/google/callback')
  if (known) return
  const message = `The redirect_uri ${redirectUri} is not an address on this machine that ends in /auth/google/callback.`
  throw new Refused(400, 'redirect_uri_mismatch', message)
}

function readScopes(given: string): string[] {
  const asked = given.split(' ').filter((scope) => scope !== '')
  const unknown = asked.find((scope) => !Object.hasOwn(scopes, scope))
  if (unknown !== undefined) throw new Refused(400, 'invalid_scope', `Some requested scopes were invalid: ${unknown}`)
  const granted = new Set(asked.map((scope) => scopes[scope]!))
  const missing = neededScopes.find((scope) => !granted.has(scope))
  if (missing !== undefined) throw new Refused(400, 'invalid_scope', `Missing required scope: ${missing}`)
  return [...granted]
}

function answerOf(grants: Grants, question: Question, form: URLSearchParams): Response {
  const { redirectUri, state, scopes } = question
  const choice = form.get('choice')
  if (choice === 'cancel') return backToShop(redirectUri, { error: 'access_denied', state })
  const account = choice === 'typed' ? typedAccount(redirectUri, form) : demoAccount(choice)
  if (account instanceof Response) return account
  const code = grants.issue({ ...question, account })
  return backToShop(redirectUri, { state, code, scope: scopes.join(' '), authuser: '0' })
}

function demoAccount(choice: string | null): Account {
  const account = demoAccounts.find(({ email }) => email === choice)
  if (!account) throw unsupported(`the choice ${choice}`)
  return account
}

function typedAccount(redirectUri: string, form: URLSearchParams): Account | Response {
  const typed: Typed = {
    email: form.get('email')?.trim() ?? '',
    name: form.get('name')?.trim() ?? '',
    verified: form.has('verified'),
  }
  const faults: Partial<Record<keyof Typed, string>> = {
    ...(!/^[^\s<>@,]+@[^\s<>@,]+\.[^\s<>@,]+$/.test(typed.email) && { email: 'Enter an email, like you@example.com.' }),
    ...(typed.name === '' && { name: 'Enter a name.' }),
  }
  return Object.keys(faults).length > 0 ? accountsView({ redirectUri, typed, faults, status: 422 }) : typed
}

function backToShop(redirectUri: string, answer: Record<string, string>): Response {
  const location = new URL(redirectUri)
  location.search = new URLSearchParams(answer).toString()
  return new Response(null, { status: 303, headers: { location: location.href, 'cache-control': 'no-store' } })
}
