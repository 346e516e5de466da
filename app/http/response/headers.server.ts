import { createHash } from 'node:crypto'
import type { Config } from '../config.server'

/** form-action covers redirects too, so it names the hosted checkout and Google. */
export function contentSecurityPolicy(
  config: Config,
  {
    nonce,
    inline,
    cardForm,
    styles,
    hasFrame = false,
  }: { nonce: string | undefined; inline: string[]; cardForm: boolean; styles: string; hasFrame?: boolean },
): string {
  const formTargets = [
    'https://checkout.stripe.com',
    'https://accounts.google.com',
    config.STRIPE_API_URL,
    config.GOOGLE_URL,
  ]
  return [
    "default-src 'self'",
    ...(cardForm ? cardFormSources(config) : []),
    nonce ? `script-src 'nonce-${nonce}' 'strict-dynamic'` : `script-src ${inline.join(' ') || "'none'"}`,
    "worker-src 'self'",
    `style-src ${styles}`,
    // The document of a frame has the policy of its page.
    ...(hasFrame ? ["style-src-attr 'unsafe-inline'"] : []),
    // Files that were chosen and not sent yet are blobs.
    `img-src 'self' https: data:${nonce ? ' blob:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action 'self' ${[...new Set(formTargets.filter(Boolean))].join(' ')}`,
  ].join('; ')
}

export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** docs.stripe.com/security/guide#content-security-policy */
function cardFormSources(config: Config): string[] {
  const sandbox = config.STRIPE_API_URL
  if (sandbox) return [`connect-src 'self' ${sandbox}`, `frame-src ${sandbox}`]
  return [
    "connect-src 'self' https://api.stripe.com",
    'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  ]
}

/** For forms that create something: Back restores the form without a request (R43, decision 17). */
export const browserCache = 'private, no-cache'

/** Browsers send Save-Data by themselves, and the client hint (RFC 8942) after `accept-ch`. */
export function savesData({ headers }: Request): boolean {
  return /^on$/i.test(headers.get('save-data') ?? '') || /^"?reduce"?$/i.test(headers.get(reducedData) ?? '')
}

/** Browsers that restore the fields of a form on Back say one of these with each page that they load; Lynx, w3m and Links say none. */
export function restoresFields({ headers }: Request): boolean {
  return headers.has('upgrade-insecure-requests') || headers.has('sec-fetch-mode')
}

const reducedData = 'Sec-CH-Prefers-Reduced-Data'

/** For every HTML page. */
export const savesDataHeaders = { 'accept-ch': reducedData, vary: `Save-Data, ${reducedData}` }

/** `no-referrer` would make our own forms send `Origin: null`. */
export function finishHeaders(
  response: Response,
  { config, requestId }: { config: Pick<Config, 'SHOP_ORIGIN' | 'HSTS'>; requestId: string },
): Response {
  const { headers } = response
  headers.set('x-request-id', requestId)
  headers.set('x-content-type-options', 'nosniff')
  // Remix's data responses are UTF-8 and do not say so.
  if (headers.get('content-type') === 'text/x-script') headers.set('content-type', 'text/x-script; charset=utf-8')
  headers.set('referrer-policy', 'strict-origin-when-cross-origin')
  if (config.SHOP_ORIGIN.startsWith('https:')) headers.set('strict-transport-security', config.HSTS)
  if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-store')
  if (!headers.has('content-security-policy'))
    headers.set('content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
  return response
}
