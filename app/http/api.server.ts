import type { AppLoadContext } from '@remix-run/cloudflare'
import { Refusal, type RefusalCode } from '../store/refusal'
import type { Visitor } from '../store/sign-in'
import { findTokenHolder } from '../store/access-tokens.server'
import { logError } from './log.server'
import { statusOf } from './refusals'

/**
 * The JSON door to a command: runs it, and turns a refusal into the answer that R25 describes. What else is thrown is a
 * bug or an outage, and says no more than that.
 */
export async function answer(context: AppLoadContext, command: () => Promise<object>): Promise<Response> {
  try {
    return Response.json(await command())
  } catch (error) {
    if (error instanceof Refusal) return refusalJson(error)
    logError(context.requestId, error)
    return context.outage
      ? errorJson(503, 'unavailable', 'The shop cannot reach its books just now. Try again in a moment.', {
          'retry-after': '10',
        })
      : errorJson(500, 'internal', 'Something on our side does not work just now.')
  }
}

/** The answer to a method that a path does not have. */
export function wrongMethod(...allowed: string[]): Response {
  const allow = allowed.join(', ')
  return errorJson(405, 'method-not-allowed', `This path takes ${allow}.`, { allow })
}

/** Whoever calls, by a bearer token or by the session cookie; refuses everybody else. */
export async function requireCaller(request: Request, context: AppLoadContext): Promise<Visitor> {
  const authorization = request.headers.get('authorization')
  if (authorization === null) return (await context.visitor()) ?? refuse('unauthenticated', 'Sign in first.')
  const token = /^bearer\s+(\S+)$/i.exec(authorization)?.[1]
  const caller = token ? await findTokenHolder(context, token) : null
  return caller ?? refuse('unauthenticated', 'This access token is not valid, or not any more.')
}

function refuse(code: RefusalCode, message: string): never {
  throw new Refusal(code, message)
}

function refusalJson({ code, message, fields, retryAfter }: Refusal): Response {
  const headers = retryAfter ? { 'retry-after': String(retryAfter) } : undefined
  return errorJson(statusOf(code), code, message, headers, fields)
}

function errorJson(
  status: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
  fields: Record<string, string[]> = {},
): Response {
  const error = Object.keys(fields).length > 0 ? { code, message, fields } : { code, message }
  return Response.json({ error }, { status, headers })
}
