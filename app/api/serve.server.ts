import type { AppLoadContext } from '@remix-run/cloudflare'
import { z } from 'zod'
import { findTokenUser } from '../store/accounts/access-tokens.server'
import { ProviderError } from '../store/deps'
import { Refusal } from '../store/refusal'
import type { User } from '../store/accounts/sign-in'
import { methods, type ApiPath, type Endpoint, type ListPage, type Method } from './endpoint.server'
import { allowOrigin, preflight } from './cors.server'
import { etagOf, isKnown } from '../http/cache/etag.server'
import { MalformedRequest, readJson, readQuery } from './json.server'
import { logError } from '../http/log.server'
import { publicPath } from '../http/negotiate.server'
import { errorJson, statusOf } from '../http/errors'

interface LoaderArgs {
  request: Request
  params: Partial<Record<string, string>>
  context: AppLoadContext
}

/**
 * The JSON door: the loader and the action of a resource route. Reads what the call takes, runs it, and turns refusals into
 * the answers that R25 describes. What else is thrown is a bug or an outage, and says no more than that.
 */
export function serve({ endpoints }: ApiPath): (args: LoaderArgs) => Promise<Response> {
  const allowed = methods.filter((method) => endpoints[method])
  const allow = [...allowed, ...(endpoints.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  return async (args) => {
    const { request, context } = args
    if (request.method === 'OPTIONS') return preflight(request, context.config, allow)
    const asked = request.method === 'HEAD' ? 'GET' : request.method
    const call = endpoints[asked as Method]
    const response = call
      ? await respond(args, call)
      : errorJson(405, 'method-not-allowed', `This path takes ${allow}.`, { allow })
    return allowOrigin(request, response, context.config)
  }
}

async function respond({ request, params, context }: LoaderArgs, call: Endpoint): Promise<Response> {
  try {
    const caller = await authorize(request, context, call)
    const query = readQuery(request, (call.query ?? z.object({})).strict())
    const body = call.body ? await readJson(request, call.body) : undefined
    const idempotencyKey = call.idempotent ? readIdempotencyKey(request) : undefined
    const asked = { context, params, caller, query, body, idempotencyKey }
    if (call.paged) return await listResponse(request, call, asked)
    return await jsonResponse(request, call, await call.run(asked as Parameters<Endpoint['run']>[0]))
  } catch (error) {
    if (error instanceof MalformedRequest) return errorJson(error.status, error.code, error.message)
    if (error instanceof Refusal) {
      if (error.cause) logError(context.requestId, error.cause)
      return refusalResponse(error)
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
const chunkSize = 1000

/**
 * A list: the page that was asked for, and where the next one is (RFC 8288); or all of it, and what is long is written while
 * it is read.
 */
async function listResponse(
  request: Request,
  call: Endpoint,
  asked: { context: AppLoadContext; query: Record<string, unknown> },
): Promise<Response> {
  const read = (after = asked.query.after) => {
    const query = { ...asked.query, after, limit: asked.query.limit ?? chunkSize }
    return call.run({ ...asked, query } as Parameters<Endpoint['run']>[0]) as Promise<ListPage<unknown[]>>
  }
  const first = await read()
  if (first.next !== null && asked.query.limit === undefined) {
    // The status is sent by then: whoever listens hears the answer break off.
    const broken = (error: unknown) => {
      logError(asked.context.requestId, error)
      throw error
    }
    return new Response(
      streamList(first, (after) => read(after).catch(broken)),
      { headers: jsonHeaders },
    )
  }
  const response = await jsonResponse(request, call, first.items)
  if (first.next === null) return response
  const url = new URL(request.url)
  url.searchParams.set('after', first.next)
  response.headers.set('link', `<${publicPath(url.pathname)}${url.search}>; rel="next"`)
  return response
}

/** A JSON array in pieces, each read when the one before has gone. */
function streamList(
  first: ListPage<unknown[]>,
  read: (after: string) => Promise<ListPage<unknown[]>>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let page: ListPage<unknown[]> | null = null
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

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }

/** What everybody may hear has a strong tag, so that it is sent once; what only the caller may hear is kept nowhere. */
async function jsonResponse(request: Request, call: Endpoint, value: unknown): Promise<Response> {
  const body = JSON.stringify(value)
  if (call.auth !== 'anyone') return new Response(body, { headers: jsonHeaders })
  const etag = await etagOf(new TextEncoder().encode(body))
  const fresh = { ...jsonHeaders, etag, 'cache-control': 'public, no-cache' }
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: fresh })
  return new Response(body, { headers: fresh })
}

/** Whoever calls, by a bearer token or by the session cookie; refuses everybody else. */
async function authorize(request: Request, context: AppLoadContext, call: Endpoint): Promise<User | null> {
  if (call.auth === 'anyone') return null
  const authorization = request.headers.get('authorization')
  const caller = authorization === null ? await context.visitor() : await findBearerUser(context, authorization)
  if (!caller) {
    const message = authorization === null ? 'Sign in first.' : 'This access token is not valid, or not any more.'
    throw new Refusal('unauthenticated', message)
  }
  if (call.auth === 'admin' && caller.role !== 'admin') {
    throw new Refusal('forbidden', call.forbidden ?? 'This is for the shopkeeper.')
  }
  return caller
}

async function findBearerUser(context: AppLoadContext, authorization: string): Promise<User | null> {
  const token = /^bearer\s+(\S+)$/i.exec(authorization)?.[1]
  return token ? findTokenUser(context, token) : null
}

function readIdempotencyKey(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (/^[\w-]{8,100}$/.test(key)) return key
  throw new MalformedRequest(400, 'malformed', 'An Idempotency-Key has 8 to 100 letters, digits, - and _.')
}

function refusalResponse({ code, message, fields, retryAfter }: Refusal): Response {
  const headers = {
    ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}),
    ...(statusOf(code) === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  }
  return errorJson(statusOf(code), code, message || 'Some fields are not right.', headers, fields)
}
