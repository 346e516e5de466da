import type Stripe from 'stripe'
import { googleCallbackPath } from '../app/gateways/google.server'
import { webhookEvents } from '../app/gateways/stripe.server'

/** Returns the signing secret of a new endpoint, which Stripe never shows again; null if this one is there and up to date now. */
export async function registerWebhook(stripe: Stripe, origin: string): Promise<string | null> {
  const url = `${origin}/webhooks/stripe`
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 })
  const existing = data.find((endpoint) => endpoint.url === url)
  if (existing) {
    await stripe.webhookEndpoints.update(existing.id, { enabled_events: [...webhookEvents], disabled: false })
    return null
  }
  const { secret } = await stripe.webhookEndpoints.create({ url, enabled_events: [...webhookEvents] })
  if (!secret) throw new Error('Stripe has sent no signing secret.')
  return secret
}

interface GoogleClient {
  clientId: string
  origin: string
  /** Another base URL, for the sandbox. */
  url?: string | undefined
}

/** Asks as a browser would, and signs nobody in. Null if Google shows its login. */
export async function findGoogleProblem({ clientId, origin, url }: GoogleClient): Promise<string | null> {
  const redirectUri = origin + googleCallbackPath
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'check',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const response = await fetch(`${url ?? 'https://accounts.google.com'}/o/oauth2/v2/auth?${query.toString()}`, {
    signal: AbortSignal.timeout(15_000),
  })
  const { pathname, searchParams } = new URL(response.url)
  if (response.ok && !pathname.endsWith('/oauth/error')) return null
  // Google names the error in a protocol buffer in the address of its page.
  const reason = Buffer.from(searchParams.get('authError') ?? '', 'base64').toString('latin1') + (await response.text())
  if (reason.includes('redirect_uri_mismatch')) return `Google does not know the redirect URI ${redirectUri}`
  if (/(invalid|deleted)_client/.test(reason)) return `Google does not know GOOGLE_CLIENT_ID ${clientId}`
  return `Google refuses sign-in with ${response.status}`
}
