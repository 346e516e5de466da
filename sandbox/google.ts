import { createHash, randomBytes } from 'node:crypto'
import type { FaultController } from './faults'
import { json } from './json-response'
import { googleClientId, googleClientSecret } from './keys'
import { html, page } from './page'

interface Account {
  email: string
  name: string
  verified: boolean
  /** Of a Google Workspace domain: Google speaks for the address. */
  hosted: boolean
}

interface Grant {
  account: Account
  redirectUri: string
  challenge: string
  scopes: string[]
  expiresAt: number
  token?: string
}

class OAuthError extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    message: string,
  ) {
    super(message)
  }
}

const invalid = (message: string) => new OAuthError(400, 'invalid_request', message)
const invalidGrant = (message: string) => new OAuthError(400, 'invalid_grant', message)
const unsupported = (what: string) => new OAuthError(501, 'sandbox_unsupported', `The sandbox does not know ${what}.`)

const demoAccounts: Account[] = [
  { email: 'ada@example.com', name: 'Ada', verified: true, hosted: true },
  { email: 'grace@example.com', name: 'Grace', verified: true, hosted: true },
  { email: 'mallory@example.com', name: 'Mallory', verified: false, hosted: false },
]

const codeMs = 600_000
const tokenSeconds = 3599
const userinfo = 'https://www.googleapis.com/auth/userinfo'
const scopes: Record<string, string> = { openid: 'openid', email: `${userinfo}.email`, profile: `${userinfo}.profile` }
for (const scope of [`${userinfo}.email`, `${userinfo}.profile`]) scopes[scope] = scope

/** The values that Google takes; null: any. */
const authorizationParameters = {
  ...{ client_id: null, redirect_uri: null, scope: null, state: null, login_hint: null, hl: null },
  ...{ response_type: ['code'], code_challenge: null, code_challenge_method: ['S256'], response_mode: ['query'] },
  ...{ access_type: ['online'], include_granted_scopes: ['false', 'true'] },
  prompt: ['select_account', 'consent', 'select_account consent', 'consent select_account'],
}
const tokenParameters = {
  ...{ grant_type: null, code: null, redirect_uri: null, client_id: null, client_secret: null, code_verifier: null },
}

function read<Name extends string>(input: URLSearchParams, known: Record<Name, string[] | null>) {
  for (const name of new Set(input.keys())) {
    if (!Object.hasOwn(known, name)) throw unsupported(`the parameter ${name}`)
    if (input.getAll(name).length > 1) throw invalid(`OAuth 2 parameters can only have a single value: ${name}`)
    const values = known[name as Name]
    if (values && !values.includes(input.get(name)!))
      throw name === 'code_challenge_method'
        ? invalid('Invalid code_challenge_method. It must be S256.')
        : unsupported(`${name}=${input.get(name)}, only ${values.join(', ')}`)
  }
  return (name: Name): string => {
    const value = input.get(name)
    if (!value) throw invalid(`Missing required parameter: ${name}`)
    return value
  }
}

function readAuthorization(input: URLSearchParams) {
  const required = read(input, authorizationParameters)
  if (required('client_id') !== googleClientId)
    throw new OAuthError(401, 'invalid_client', 'The OAuth client was not found.')
  const redirectUri = required('redirect_uri')
  requireCallback(redirectUri)
  required('response_type')
  const challenge = required('code_challenge')
  required('code_challenge_method')
  if (!/^[\w-]{43}$/.test(challenge)) throw invalid('code_challenge is not the S256 of a code_verifier.')
  return { redirectUri, challenge, state: required('state'), scopes: readScopes(required('scope')) }
}

/** Google compares with a registered list; here any loopback origin is allowed. */
function requireCallback(redirectUri: string): void {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : null
  const isLocal = url && /^https?:$/.test(url.protocol) && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname)
  if (isLocal && redirectUri === url.origin + url.pathname && url.pathname.endsWith('/auth/google/callback')) return
  const message = `The redirect_uri ${redirectUri} is not an address on this machine that ends in /auth/google/callback.`
  throw new OAuthError(400, 'redirect_uri_mismatch', message)
}

function readScopes(input: string): string[] {
  const granted = input.split(' ').map((scope) => {
    if (!scopes[scope]) throw new OAuthError(400, 'invalid_scope', `Some requested scopes were invalid: ${scope}`)
    return scopes[scope]
  })
  for (const scope of ['openid', `${userinfo}.email`])
    if (!granted.includes(scope)) throw new OAuthError(400, 'invalid_scope', `Missing required scope: ${scope}`)
  return [...new Set(granted)]
}

/** https://developers.google.com/identity/openid-connect. Only the origin differs. */
export function fakeGoogle({ now, faults, log }: { now: () => number; faults: FaultController; log: Log }) {
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, Grant & { until: number }>()

  async function authorize(request: Request): Promise<Response> {
    const { state, ...asked } = readAuthorization(new URL(request.url).searchParams)
    const { redirectUri } = asked
    if (request.method === 'GET') return accountsPage(redirectUri)
    const form = new URLSearchParams(await request.text())
    const choice = form.get('choice')
    if (choice === 'cancel') return redirect(redirectUri, { error: 'access_denied', state })
    const text = (name: string) => form.get(name)?.trim() ?? ''
    const typed = { email: text('email'), name: text('name'), verified: form.has('verified') }
    if (choice === 'typed' && (!typed.email.includes('@') || typed.name === ''))
      return accountsPage(redirectUri, 'Enter an email, like you@example.com, and a name.')
    const account =
      choice === 'typed'
        ? { ...typed, hosted: !form.has('personal') }
        : demoAccounts.find(({ email }) => email === choice)
    if (!account) throw unsupported(`the choice ${choice}`)
    const code = `4/0A${randomBytes(48).toString('base64url')}`
    grants.set(code, { ...asked, account, expiresAt: now() + codeMs })
    return redirect(redirectUri, { state, code, scope: asked.scopes.join(' '), authuser: '0' })
  }

  async function exchange(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    const required = read(form, tokenParameters)
    if (required('client_id') !== googleClientId || required('client_secret') !== googleClientSecret)
      throw new OAuthError(401, 'invalid_client', 'The OAuth client was not found.')
    if (required('grant_type') !== 'authorization_code')
      throw new OAuthError(400, 'unsupported_grant_type', 'Invalid grant_type')
    const grant = grants.get(required('code'))
    if (!grant || grant.expiresAt <= now()) throw invalidGrant('Malformed auth code.')
    if (grant.token) {
      // The code leaked: revoke the token, since either side may hold it (RFC 6749, 4.1.2).
      tokens.delete(grant.token)
      throw invalidGrant('The code was used before. What it gave is revoked.')
    }
    if (grant.redirectUri !== required('redirect_uri'))
      throw new OAuthError(400, 'redirect_uri_mismatch', 'Bad Request')
    const verifier = form.get('code_verifier') ?? ''
    if (createHash('sha256').update(verifier).digest('base64url') !== grant.challenge)
      throw invalidGrant('Invalid code verifier.')
    grant.token = `ya29.${randomBytes(48).toString('base64url')}`
    tokens.set(grant.token, { ...grant, until: now() + tokenSeconds * 1000 })
    const scope = grant.scopes.join(' ')
    return json(200, { access_token: grant.token, expires_in: tokenSeconds, scope, token_type: 'Bearer' })
  }

  function claims(request: Request): Response {
    const token = /^bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const grant = tokens.get(token ?? '')
    if (!grant || grant.until <= now()) throw new OAuthError(401, 'invalid_token', 'Invalid Credentials')
    const { email, name, verified, hosted } = grant.account
    const [given_name, ...family] = name.split(/\s+/)
    return json(200, {
      ...{ sub: subjectOf(email), email, email_verified: verified, name, given_name },
      ...(hosted && verified && { hd: email.split('@')[1] }),
      ...(family.length > 0 && { family_name: family.join(' ') }),
    })
  }

  return async (request: Request): Promise<Response> => {
    const call = `${request.method} ${new URL(request.url).pathname}`
    const toPage = call.endsWith(' /o/oauth2/v2/auth')
    const answer = async (act: () => Response | Promise<Response>): Promise<Response> => {
      try {
        return await act()
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        log(`google: refused ${call}: ${error.message}`)
        // Never a redirect: the redirect_uri is not verified yet.
        return toPage ? errorPage(error) : json(error.status, { error: error.error, error_description: error.message })
      }
    }
    const withFaults = (act: () => Response | Promise<Response>) =>
      faults.run(
        'google',
        request,
        () => answer(act),
        (status) => json(status, { error: 'internal_failure', error_description: 'The sandbox fails on purpose.' }),
      )
    if (toPage) return answer(() => authorize(request))
    if (call === 'POST /token') return withFaults(() => exchange(request))
    if (call === 'GET /oauth2/v3/userinfo') return withFaults(() => claims(request))
    return answer(() => {
      throw unsupported(call)
    })
  }
}

type Log = (line: string) => void

function subjectOf(email: string): string {
  const digest = createHash('sha256').update(email.toLowerCase()).digest('hex')
  return `1${(BigInt(`0x${digest}`) % 10n ** 20n).toString().padStart(20, '0')}`
}

function redirect(redirectUri: string, parameters: Record<string, string>): Response {
  const location = `${redirectUri}?${new URLSearchParams(parameters).toString()}`
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}

const title = 'Sign in with Google (sandbox)'
const notice = html`<p>
  This is a fake of the sandbox, not Google. Nothing is sent to Google, and it needs no password.
</p>`

function accountsPage(redirectUri: string, wrong?: string): Response {
  const { origin, host } = new URL(redirectUri)
  return page({
    title,
    status: wrong === undefined ? 200 : 422,
    styles: 'button, input { font: inherit; padding: 0.75rem; margin: 0.25rem 0; }',
    // Browsers check redirects after a form post against form-action, too.
    policy: { 'form-action': `'self' ${origin}` },
    body: html`<main>
      ${notice}
      <h1>${title}</h1>
      <p>Choose who you are, to continue to Cadenza at ${host}.</p>
      <form method="post">
        ${demoAccounts.map(
          ({ email, name, verified }) =>
            html`<p>
              <button name="choice" value="${email}">${name} ${email} ${!verified && 'Email not verified'}</button>
            </p>`,
        )}
      </form>
      <form method="post">
        <h2>Use another account</h2>
        ${wrong !== undefined && html`<p role="alert">${wrong}</p>`}
        <p>
          <label>Email <input name="email" type="email" required /></label>
        </p>
        <p>
          <label>Name <input name="name" required /></label>
        </p>
        <p>
          <label><input type="checkbox" name="verified" checked /> Email is verified by Google</label>
        </p>
        <p>
          <label><input type="checkbox" name="personal" /> Personal account: Google does not host this address</label>
        </p>
        <button name="choice" value="typed">Continue</button>
      </form>
      <form method="post"><button name="choice" value="cancel">Cancel</button></form>
    </main>`,
  })
}

function errorPage({ status, error, message }: OAuthError): Response {
  const body = html`<main>
    ${notice}
    <h1>Access blocked: authorization error</h1>
    <p>${message}</p>
    <p>Error ${status}: ${error}</p>
  </main>`
  return page({ title: `Access blocked: ${title}`, status, body })
}
