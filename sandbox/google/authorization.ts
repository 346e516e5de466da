import { googleClientId } from '../keys'
import { demoAccounts, requiredScopes, scopes, type Account } from './account'
import { accountsView, type AccountInput } from './accounts-view'
import type { Grants } from './grants'
import { invalid, requireSupported, readParameters, required } from './parameters'
import { OAuthError, unsupported } from './refusal'

interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  state: string
  challenge: string
  scopes: string[]
  loginHint: string
}

export async function authorizationPage(grants: Grants, request: Request): Promise<Response> {
  const authorization = readAuthorization(new URL(request.url).searchParams)
  if (request.method === 'POST') return handleChoice(grants, authorization, new URLSearchParams(await request.text()))
  const { redirectUri, loginHint } = authorization
  return accountsView({ redirectUri, input: { email: loginHint, name: '', verified: true, hosted: true } })
}

function readAuthorization(input: URLSearchParams): AuthorizationRequest {
  const parameters = readParameters(input, [
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
  if (clientId !== googleClientId) throw new OAuthError(401, 'invalid_client', 'The OAuth client was not found.')
  const redirectUri = required(parameters, 'redirect_uri')
  requireCallback(redirectUri)
  required(parameters, 'response_type')
  requireSupported(parameters, 'response_type', ['code'])
  requireSupported(parameters, 'response_mode', ['query'])
  requireSupported(parameters, 'access_type', ['online'])
  requireSupported(parameters, 'include_granted_scopes', ['false', 'true'])
  requireSupported(parameters, 'prompt', [
    'select_account',
    'consent',
    'select_account consent',
    'consent select_account',
  ])
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
  const isLocalCallback =
    url &&
    ['http:', 'https:'].includes(url.protocol) &&
    ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname) &&
    redirectUri === url.origin + url.pathname &&
    url.pathname.endsWith('/auth/google/callback')
  if (isLocalCallback) return
  const message = `The redirect_uri ${redirectUri} is not an address on this machine that ends in /auth/google/callback.`
  throw new OAuthError(400, 'redirect_uri_mismatch', message)
}

function readScopes(input: string): string[] {
  const requested = input.split(' ').filter((scope) => scope !== '')
  const unknown = requested.find((scope) => !Object.hasOwn(scopes, scope))
  if (unknown !== undefined)
    throw new OAuthError(400, 'invalid_scope', `Some requested scopes were invalid: ${unknown}`)
  const granted = new Set(requested.map((scope) => scopes[scope]!))
  const missingScope = requiredScopes.find((scope) => !granted.has(scope))
  if (missingScope !== undefined) throw new OAuthError(400, 'invalid_scope', `Missing required scope: ${missingScope}`)
  return [...granted]
}

function handleChoice(grants: Grants, authorization: AuthorizationRequest, form: URLSearchParams): Response {
  const { redirectUri, state, scopes } = authorization
  const choice = form.get('choice')
  if (choice === 'cancel') return redirectToShop(redirectUri, { error: 'access_denied', state })
  const account = choice === 'typed' ? accountFromForm(redirectUri, form) : demoAccount(choice)
  if (account instanceof Response) return account
  const code = grants.issue({ ...authorization, account })
  return redirectToShop(redirectUri, { state, code, scope: scopes.join(' '), authuser: '0' })
}

function demoAccount(choice: string | null): Account {
  const account = demoAccounts.find(({ email }) => email === choice)
  if (!account) throw unsupported(`the choice ${choice}`)
  return account
}

function accountFromForm(redirectUri: string, form: URLSearchParams): Account | Response {
  const input: AccountInput = {
    email: form.get('email')?.trim() ?? '',
    name: form.get('name')?.trim() ?? '',
    verified: form.has('verified'),
    hosted: !form.has('personal'),
  }
  const errors: Partial<Record<keyof AccountInput, string>> = {
    ...(!/^[^\s<>@,]+@[^\s<>@,]+\.[^\s<>@,]+$/.test(input.email) && { email: 'Enter an email, like you@example.com.' }),
    ...(input.name === '' && { name: 'Enter a name.' }),
  }
  return Object.keys(errors).length > 0 ? accountsView({ redirectUri, input, errors, status: 422 }) : input
}

function redirectToShop(redirectUri: string, parameters: Record<string, string>): Response {
  const location = new URL(redirectUri)
  location.search = new URLSearchParams(parameters).toString()
  return new Response(null, { status: 303, headers: { location: location.href, 'cache-control': 'no-store' } })
}
