import type { AppLoadContext } from '@remix-run/cloudflare'
import { bearerOf, isApiKey } from '../http/auth/bearer.server'
import { logSecurityEvent } from '../http/log.server'
import { checkApiKey, takeCalls, type KeyUse } from '../store/integrations/api-keys.server'
import { limits } from '../store/shared/limits'
import { rateLimited } from '../store/shared/rate-limit.server'
import { Refusal } from '../store/shared/refusal'
import type { SignedInUser } from '../store/accounts/sign-in'
import type { Endpoint } from './endpoint.server'

export interface KeyCall {
  key: string
  /** Of a valid key. */
  use: KeyUse | null
}

/** The API key of a request; null also for an access token. */
export function apiKeyOf(request: Request): string | null {
  const token = bearerOf(request.headers.get('authorization'))
  return isApiKey(token) ? token : null
}

/** The admin who made the key. Refuses a key that is not valid, is used too often, or lacks the scope of the call. */
export async function callByKey(
  context: AppLoadContext,
  { scope }: Pick<Endpoint, 'scope'>,
  call: KeyCall,
): Promise<{ caller: SignedInUser; begun?: never }> {
  const use = (call.use = await checkApiKey(context, call.key))
  if (!use) {
    logSecurityEvent(context, 'API key refused')
    throw new Refusal('unauthenticated', 'This API key is unknown, expired or revoked.')
  }
  if (!scope) throw new Refusal('forbidden', 'No API key can make this call.')
  if (use.remaining < 0) throw tooMany(use)
  if (!use.scopes.includes(scope)) throw new Refusal('forbidden', `This API key lacks the scope ${scope}.`)
  return { caller: use.user }
}

/** Of a call that counts as several, of which one is counted already. Refuses it where there are not as many left. */
export async function countCalls(context: AppLoadContext, { key, use }: KeyCall, calls: number): Promise<void> {
  if (!use || calls <= 1) return
  use.remaining = await takeCalls(context, key, calls - 1)
  if (use.remaining < 0) throw tooMany(use)
}

function tooMany({ reset }: KeyUse): Refusal {
  return rateLimited('Too many calls with this key.', reset * 1000, 'api-key:calls')
}

const policy = `"api-key";q=${limits.apiKeyCalls.max};w=${limits.apiKeyCalls.window / 1000}`

/** draft-ietf-httpapi-ratelimit-headers-10. No cache may store what a key was answered. */
export function withLimit(response: Response, { use }: KeyCall): Response {
  if (response.headers.get('cache-control')?.startsWith('public'))
    response.headers.set('cache-control', 'private, no-cache')
  if (!use) return response
  response.headers.set('ratelimit-policy', policy)
  response.headers.set('ratelimit', `"api-key";r=${Math.max(0, use.remaining)};t=${use.reset}`)
  return response
}
