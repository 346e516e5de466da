import type { AppLoadContext } from '@remix-run/cloudflare'
import type { z } from 'zod'
import { Refusal, type RefusalCode } from '../store/refusal'
import type { Visitor } from '../store/sign-in'
import { findTokenHolder } from '../store/access-tokens.server'
import { readAtMost } from './body.server'
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
    if (error instanceof Malformed) return errorJson(error.status, error.code, error.message)
    if (error instanceof Refusal) {
      if (error.cause) logError(context.requestId, error.cause)
      return refusalJson(error)
    }
    logError(context.requestId, error)
    return context.outage
      ? errorJson(503, 'unavailable', 'The shop cannot reach its books just now. Try again in a moment.', {
          'retry-after': '10',
        })
      : errorJson(500, 'internal', 'Something on our side does not work just now.')
  }
}

/** Bytes that a JSON body may have. */
const mostBytes = 64 * 1024

/**
 * The same for a call with a JSON body: what does not fit `schema` is refused as the form's fields are, in the same words.
 * The caller is asked for first, so that a stranger does not learn what a call takes.
 */
export async function accept<Schema extends z.ZodType>(
  { request, context, schema }: { request: Request; context: AppLoadContext; schema: Schema },
  command: (wanted: z.output<Schema>, caller: Visitor) => Promise<object>,
): Promise<Response> {
  return answer(context, async () => {
    const caller = await requireCaller(request, context)
    return command(await readJson(request, schema), caller)
  })
}

async function readJson<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.output<Schema>> {
  if (!/^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(request.headers.get('content-type') ?? '')) {
    throw new Malformed(415, 'wrong-type', 'This call takes application/json.')
  }
  const body = await readAtMost(request, mostBytes)
  if (!body) throw new Malformed(413, 'too-large', `A body has at most ${mostBytes} bytes.`)
  const result = schema.safeParse(parseJson(body))
  if (result.success) return result.data
  const { formErrors, fieldErrors } = flatten(result.error)
  throw new Refusal('invalid', formErrors[0] ?? 'Some fields are not right.', { fields: fieldErrors })
}

function flatten({ issues }: z.ZodError) {
  const fieldErrors: Record<string, string[]> = {}
  const formErrors: string[] = []
  for (const { path, message } of issues) {
    const field = path.join('.')
    if (field) (fieldErrors[field] ??= []).push(message)
    else formErrors.push(message)
  }
  return { formErrors, fieldErrors }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new Malformed(400, 'malformed', 'The body is not JSON.')
  }
}

/** A request that no schema can judge. */
class Malformed extends Error {
  constructor(
    readonly status: 400 | 413 | 415,
    readonly code: string,
    message: string,
  ) {
    super(message)
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
