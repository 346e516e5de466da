import { createHash } from 'node:crypto'
import type { Config } from './config.server'

/**
 * What a page may load and where its forms may lead (form-action counts redirects too, so the hosted checkout and
 * Google stand in it). A page without scripts says so, or allows the one that stands in it; one with scripts allows those that
 * carry this answer's nonce.
 */
export function contentSecurityPolicy(
  config: Config,
  {
    nonce,
    script,
    cardForm,
    styles,
  }: { nonce: string | undefined; script: string | undefined; cardForm: boolean; styles: string },
): string {
  const beyond = [
    'https://checkout.stripe.com',
    'https://accounts.google.com',
    config.STRIPE_API_URL,
    config.GOOGLE_URL,
  ]
  return [
    "default-src 'self'",
    ...(cardForm ? cardFormSources(config) : []),
    nonce ? `script-src 'nonce-${nonce}' 'strict-dynamic'` : `script-src ${script ?? "'none'"}`,
    `style-src ${styles}`,
    "img-src 'self' https: data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action 'self' ${[...new Set(beyond.filter(Boolean))].join(' ')}`,
  ].join('; ')
}

/** Allows one inline style or script, by its text. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Stripe's script calls Stripe, and shows its fields in frames of its own: docs.stripe.com/security/guide#content-security-policy. */
function cardFormSources(config: Config): string[] {
  const sandbox = config.STRIPE_API_URL
  if (sandbox) return [`connect-src 'self' ${sandbox}`, `frame-src ${sandbox}`]
  return [
    "connect-src 'self' https://api.stripe.com",
    'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  ]
}

/** Of a page with a form that creates something: Back shows it as it was, without asking the shop (R43, decision 17). */
export const browserCache = 'private, no-cache'

/** Whether the visitor asks for as few bytes as will do. */
export function savesData({ headers }: Request): boolean {
  return /^on$/i.test(headers.get('save-data') ?? '')
}

/** The headers that every answer carries. `strict-origin-when-cross-origin`, because `no-referrer` makes our own forms send `Origin: null`. */
export function finishHeaders(headers: Headers, { https, requestId }: { https: boolean; requestId: string }): void {
  headers.set('x-request-id', requestId)
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'strict-origin-when-cross-origin')
  if (https) headers.set('strict-transport-security', 'max-age=63072000; includeSubDomains')
  if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-store')
  if (!headers.has('content-security-policy'))
    headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
}
