import type { AppLoadContext } from '@remix-run/cloudflare'
import { codeOf, logError, logEvent, requestIdOf } from '../http/log.server'
import { countRequest } from '../http/metrics.server'
import { errorJson } from '../http/response/errors'
import { finishHeaders } from '../http/response/headers.server'
import type { ContextStep, Step } from '../http/step'

/** Counts each answer, and gives one where even the error page fails. */
export const answerInAnyCase: Step = async (request, { env }, next) => {
  const startedAt = Date.now()
  const route = routeOf(request.url)
  try {
    const response = await next(request)
    const durationMs = Date.now() - startedAt
    countRequest(env, { route, status: response.status, method: request.method, durationMs })
    return response
  } catch (error) {
    const requestId = requestIdOf(request)
    logError('error', 'request failed', error, { requestId, route, status: 500 })
    // The configuration itself may be what is wrong.
    const config = { SHOP_ORIGIN: '', HSTS: '' }
    return finishHeaders(errorJson(500, 'internal', 'Something went wrong on our side.'), { config, requestId })
  }
}

/** Writes the line of a request that has failed, and says of an outage that it is worth a retry (503). */
export const sayWhatFailed: ContextStep = async (request, context, next) => {
  const response = await next(request)
  const isUnavailable = response.status === 500 && context.outage
  logFault(request, isUnavailable ? 503 : response.status, context)
  if (!isUnavailable) return finishHeaders(response, context)
  const unavailable = new Response(response.body, { status: 503, headers: response.headers })
  unavailable.headers.set('retry-after', '10')
  return finishHeaders(unavailable, context)
}

/** A request that fails has exactly one line, and so has one that was answered in spite of a fault. */
function logFault({ method, url, signal }: Request, status: number, context: AppLoadContext): void {
  const { requestId, fault, isReported, startedAt } = context
  const hasFailed = status >= 500 && !isReported && !signal.aborted
  if (fault === undefined && !hasFailed) return
  const details = { requestId, method, route: routeOf(url), status, durationMs: Date.now() - startedAt }
  const level = status >= 500 ? 'error' : 'warn'
  if (fault === undefined)
    logEvent(level, 'request failed', { code: context.outage ? 'database-away' : 'unavailable', ...details })
  else logError(level, 'request failed', fault, { code: codeOf(fault, context.outage), ...details })
}

/** The first parts of a path: what follows may be an id, an email or a token. */
function routeOf(url: string): string {
  const [, route = 'other'] = /^\/(dashboard\/[\w.]{1,30}|[\w.-]{0,30})(?:\/|$)/.exec(new URL(url).pathname) ?? []
  return route
}
