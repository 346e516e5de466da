import { GoogleStrategy, type GoogleProfile } from 'remix-auth-google'
import { z } from 'zod'
import type { VerifiedIdentity } from '../store/deps'
import { base64url, newSecret } from '../store/shared/ids.server'

export interface GoogleAccount {
  clientId: string
  clientSecret: string
  /** Another base URL, for the sandbox: `http://127.0.0.1:8789`. */
  url?: string
  shopOrigin: string
}

const issuer = 'https://accounts.google.com'

const timeout = 10_000

/** Google did not answer, or with what is no answer of its protocol. */
export class GoogleOutage extends Error {}

export const googleCallbackPath = '/auth/google/callback'

/**
 * remix-auth's Google strategy with PKCE (RFC 7636), a configurable base URL, and checks of the userinfo response,
 * which the library lacks. One instance per request, because the verifier belongs to one browser.
 */
export class Google<Result> extends GoogleStrategy<Result> {
  private readonly userinfo: string

  constructor(
    { clientId, clientSecret, url, shopOrigin }: GoogleAccount,
    private readonly proof: { verifier: string; challenge: string },
    verify: (identity: VerifiedIdentity) => Promise<Result>,
  ) {
    super(
      { clientID: clientId, clientSecret, callbackURL: shopOrigin + googleCallbackPath, prompt: 'select_account' },
      ({ profile }) => verify(identityOf(profile)),
    )
    if (url) {
      this.authorizationURL = `${url}/o/oauth2/v2/auth`
      this.tokenURL = `${url}/token`
    }
    // The library's is a UUID of 122 random bits, and private.
    Object.assign(this, { generateState: newSecret })
    this.userinfo = `${url ?? 'https://www.googleapis.com'}/oauth2/v3/userinfo`
  }

  protected override authorizationParams(): URLSearchParams {
    const params = super.authorizationParams()
    params.set('code_challenge', this.proof.challenge)
    params.set('code_challenge_method', 'S256')
    return params
  }

  protected override tokenParams(): URLSearchParams {
    return new URLSearchParams({ code_verifier: this.proof.verifier })
  }

  /** The library's would follow a redirect with the client secret, and wait for ever. */
  protected override async fetchAccessToken(code: string, params: URLSearchParams) {
    params.set('client_id', this.clientID)
    params.set('client_secret', this.clientSecret)
    params.set('code', code)
    const response = await ask(this.tokenURL, {
      method: 'POST',
      body: params,
    })
    return this.getAccessToken(response).catch(outage)
  }

  protected override async userProfile(accessToken: string): Promise<GoogleProfile> {
    const response = await ask(this.userinfo, { headers: { authorization: `Bearer ${accessToken}` } })
    const profile = Userinfo.safeParse(await response.json().catch(outage))
    if (!profile.success) throw new Error('Google returned no account')
    return { _json: profile.data as GoogleProfile['_json'] } as GoogleProfile
  }
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    // A code or a token must not follow a redirect.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
  }).catch(outage)
  if (response.status === 429 || response.status >= 500) throw new GoogleOutage(`Google returned ${response.status}`)
  if (!response.ok) throw new Error(`Google returned ${response.status}`)
  return response
}

function outage(cause: unknown): never {
  throw new GoogleOutage('Google does not answer', { cause })
}

/** Strictly typed: some providers send the text "false". */
const Userinfo = z.object({
  sub: z.string().min(1),
  email: z.string().min(1),
  email_verified: z.boolean().default(false),
  name: z.string().optional(),
  hd: z.string().optional(),
})

/** developers.google.com/identity/gsi/web/guides/verify-google-id-token: where Google is authoritative for an address. */
function identityOf({ _json: profile }: GoogleProfile): VerifiedIdentity {
  return {
    issuer,
    subject: profile.sub,
    email: profile.email,
    emailVerified: profile.email_verified,
    isHosted: /@gmail\.com$/i.test(profile.email) || Boolean(profile.hd),
    name: profile.name || '',
  }
}

/** PKCE: the verifier stays in the browser's handshake cookie, the challenge goes to Google. */
export async function newProof(verifier: string): Promise<{ verifier: string; challenge: string }> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { verifier, challenge: base64url(new Uint8Array(digest)) }
}
