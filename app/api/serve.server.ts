import type { AppLoadContext } from '@remix-run/cloudflare'
import { z } from 'zod'
import { findTokenHolder } from '../store/accounts/access-tokens.server'
import { ProviderError } from '../store/deps'
import { Refusal } from '../store/refusal'
import type { Visitor } from '../store/accounts/sign-in'
import { methods, type ApiPath, type Call, type Listed, type Method } from './endpoint.server'
import { allowOrigin, preflight } from './cors.server'
import { etagOf, isKnown } from '../http/cache/etag.server'
import { Malformed, readJson, readQuery } from './json.server'
import { logError } from '../http/log.server'
import { publicPath } from '../http/negotiate.server'
import { errorJson, statusOf } from '../http/errors'

interface Arguments {
  request: Request
  params: Partial<Record<string, string>>
  context: AppLoadContext
}

/**
 * The JSON door: the loader and the action of a resource route. Reads what the call takes, runs it, and turns refusals into
 * the answers that R25 describes. What else is thrown is a bug or an outage, and says no more than that.
 */
export function serve({ calls }: ApiPath): (args: Arguments) => Promise<Response> {
  const allowed = methods.filter((method) => calls[method])
  const allow = [...allowed, ...(calls.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  return async (args) => {
    const { request, context } = args
    if (request.method === 'OPTIONS') return preflight(request, context.config, allow)
    const asked = request.method === 'HEAD' ? 'GET' : request.method
    const call = calls[asked as Method]
    const response = call
      ? await answer(args, call)
      : errorJson(405, 'method-not-allowed', `This path takes ${allow}.`, { allow })
    return allowOrigin(request, response, context.config)
  }
}

async function answer({ request, params, context }: Arguments, call: Call): Promise<Response> {
  try {
    const caller = await requireCaller(request, context, call)
    const query = readQuery(request, (call.query ?? z.object({})).strict())
    const body = call.body ? await readJson(request, call.body) : undefined
    const idempotencyKey = call.once ? readKey(request) : undefined
    const asked = { context, params, caller, query, body, idempotencyKey }
    if (call.paged) return await toldList(request, call, asked)
    return await told(request, call, await call.run(asked as Parameters<Call['run']>[0]))
  } catch (error) {
    if (error instanceof Malformed) return errorJson(error.status, error.code, error.message)
    if (error instanceof Refusal) {
      if (error.cause) logError(context.requestId, error.cause)
      return refusalJson(error)
    }
    logError(context.requestId, error)
    return context.outage || error instanceof ProviderError
      ? errorJson(503, 'unavailable', 'The shop cannot reach its books just now. Try again in a moment.', {
          'retry-after': '10',
        })
      : errorJson(500, 'internal', 'Something on our side does not work just now.')
  }
}

/** How many items of a list are read at a time. */
const chunk = 1000

/**
 * A list: the page that was asked for, and where the next one is (RFC 8288); or all of it, and what is long is written while
 * it is read.
 */
async function toldList(
  request: Request,
  call: Call,
  asked: { context: AppLoadContext; query: Record<string, unknown> },
): Promise<Response> {
  const read = (after = asked.query.after) => {
    const query = { ...asked.query, after, limit: asked.query.limit ?? chunk }
    return call.run({ ...asked, query } as Parameters<Call['run']>[0]) as Promise<Listed<unknown[]>>
  }
  const first = await read()
  if (first.next !== null && asked.query.limit === undefined) {
    // The status is sent by then: whoever listens hears the answer break off.
    const broken = (error: unknown) => {
      logError(asked.context.requestId, error)
      throw error
    }
    return new Response(
      streamed(first, (after) => read(after).catch(broken)),
      { headers: json },
    )
  }
  const response = await told(request, call, first.items)
  if (first.next === null) return response
  const url = new URL(request.url)
  url.searchParams.set('after', first.next)
  response.headers.set('link', `<${publicPath(url.pathname)}${url.search}>; rel="next"`)
  return response
}

/** A JSON array in pieces, each read when the one before has gone. */
function streamed(
  first: Listed<unknown[]>,
  read: (after: string) => Promise<Listed<unknown[]>>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let page: Listed<unknown[]> | null = null
  return new ReadableStream({
    async pull(controller) {
      const start = page ? ',' : '['
      page = page?.next ? await read(page.next) : first
      const items = page.items.map((item) => JSON.stringify(item)).join(',')
      controller.enqueue(encoder.encode((items && start + items) + (page.next === null ? ']' : '')))
      if (page.next === null) controller.close()
    },
  })
}

const json = { 'content-type': 'application/json; charset=utf-8' }

/** What everybody may hear has a strong tag, so that it is sent once; what only the caller may hear is kept nowhere. */
async function told(request: Request, call: Call, value: unknown): Promise<Response> {
  const body = JSON.stringify(value)
  if (call.who !== 'anyone') return new Response(body, { headers: json })
  const etag = await etagOf(new TextEncoder().encode(body))
  const fresh = { ...json, etag, 'cache-control': 'public, no-cache' }
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: fresh })
  return new Response(body, { headers: fresh })
}

/** Whoever calls, by a bearer token or by the session cookie; refuses everybody else. */
async function requireCaller(request: Request, context: AppLoadContext, call: Call): Promise<Visitor | null> {
  if (call.who === 'anyone') return null
  const authorization = request.headers.get('authorization')
  const caller = authorization === null ? await context.visitor() : await findBearer(context, authorization)
  if (!caller) {
    const message = authorization === null ? 'Sign in first.' : 'This access token is not valid, or not any more.'
    throw new Refusal('unauthenticated', message)
  }
  if (call.who === 'admin' && caller.role !== 'admin') {
    throw new Refusal('forbidden', call.forbidden ?? 'This is for the shopkeeper.')
  }
  return caller
}

async function findBearer(context: AppLoadContext, authorization: string): Promise<Visitor | null> {
  const token = /^bearer\s+(\S+)$/i.exec(authorization)?.[1]
  return token ? findTokenHolder(context, token) : null
}

function readKey(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (/^[\w-]{8,100}$/.test(key)) return key
  throw new Malformed(400, 'malformed', 'An Idempotency-Key has 8 to 100 letters, digits, - and _.')
}

function refusalJson({ code, message, fields, retryAfter }: Refusal): Response {
  const headers = {
    ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}),
    ...(statusOf(code) === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  }
  return errorJson(statusOf(code), code, message || 'Some fields are not right.', headers, fields)
}
