import type { AppLoadContext } from '@remix-run/cloudflare'
import { z } from 'zod'
import { tokenUser } from '../store/accounts/access-tokens.server'
import { beginWith, sessionUser, type CallerId } from '../store/accounts/sign-in.server'
import { noLongerAdmin, wasAdmin } from '../store/accounts/users.server'
import type { BatchPart } from '../store/shared/batch.server'
import { withSubmission } from '../store/shared/submissions.server'
import { ProviderError } from '../store/deps'
import { cleanText } from '../store/shared/clean-text.server'
import { Refusal } from '../store/shared/refusal'
import { apiKeyOf, callByKey, countCalls, withLimit, type KeyCall } from './key-call.server'
import type { SignedInUser } from '../store/accounts/sign-in'
import { apiPaths } from './endpoints/index.server'
import { hasETag, methods, type ApiPath, type Endpoint, type ListPage, type Method } from './endpoint.server'
import { bearerOf } from '../http/auth/bearer.server'
import { allowOrigin, preflight } from '../http/response/cors.server'
import { etagMatches } from '../http/cache/etag.server'
import { readIfMatch, tagOfJson } from './if-match.server'
import { MalformedRequest, readJson, readQuery } from './json.server'
import { logError, logRefusal, logSecurityEvent } from '../http/log.server'
import { decoded, publicPath } from '../http/request/negotiate.server'
import { errorJson, statusOf } from '../http/response/errors'
import { streamOf } from '../http/formats/stream.server'
import { readThrottle, rowsOfPart } from '../http/request/read-throttle.server'

interface LoaderArgs {
  request: Request
  context: AppLoadContext
}

type EndpointArgs = LoaderArgs & { params: Record<string, string> }

const handlers = apiPaths.map((apiPath) => ({ template: apiPath.path.split('/'), handle: serve(apiPath) }))

/** The loader and action of every API path. */
export function serveApi(args: LoaderArgs): Promise<Response> {
  const path = publicPath(new URL(args.request.url).pathname)
  const segments = path
    .replace(/\/+$/, '')
    .split('/')
    .map((segment) => cleanText(decoded(segment)))
  for (const { template, handle } of handlers) {
    const params = matchPath(template, segments)
    if (params) return handle({ ...args, params })
  }
  return Promise.resolve(errorJson(404, 'not-found', 'The API has no such path. See /openapi.json.'))
}

/** The parameters of a path that fits the template, else null. Like the router, ignores case and a trailing slash. */
function matchPath(template: string[], segments: string[]): Record<string, string> | null {
  if (segments.length !== template.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const name = /^\{(\w+)\}$/.exec(template[index]!)?.[1]
    if (name) params[name] = segment
    else if (segment.toLowerCase() !== template[index]) return null
  }
  return params
}

/** Maps refusals to R25 responses; other errors reveal no details. */
export function serve({ endpoints }: Omit<ApiPath, 'tag'>): (args: EndpointArgs) => Promise<Response> {
  const allowed = methods.filter((method) => endpoints[method])
  const allow = [...allowed, ...(endpoints.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  return async (args) => {
    const { request, context } = args
    if (request.method === 'OPTIONS') return preflight(request, context.config, allow)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const endpoint = endpoints[method as Method]
    const response = endpoint
      ? await respond(args, endpoint)
      : errorJson(405, 'method-not-allowed', `This path accepts ${allow}.`, { allow })
    const answer = allowOrigin(request, response, context.config)
    if (request.method !== 'HEAD') return answer
    // Nobody reads a list of 10,000 rows for its headers.
    await answer.body?.cancel()
    return new Response(null, answer)
  }
}

async function respond({ request, params, context }: EndpointArgs, endpoint: Endpoint): Promise<Response> {
  const key = apiKeyOf(request)
  if (key === null) return answer({ request, params, context }, endpoint)
  const call: KeyCall = { key, use: null }
  return withLimit(await answer({ request, params, context }, endpoint, call), call)
}

async function answer(
  { request, params, context }: EndpointArgs,
  endpoint: Endpoint,
  byKey?: KeyCall,
): Promise<Response> {
  let caller: SignedInUser | null = null
  try {
    const read = () => readInput(request, endpoint)
    // Read early only where the look-up of the caller needs it: who is not signed in learns that first.
    const early = byKey ? undefined : endpoint.first && (await read().catch((error: unknown) => ({ error })))
    const authenticated = byKey
      ? await callByKey(context, endpoint, byKey)
      : await authenticate(request, context, endpoint, async (callerId) =>
          endpoint.first && early && !('error' in early)
            ? endpoint.first({ ...early, context, params, callerId })
            : null,
        )
    caller = authenticated.caller
    await requireRole(context, caller, endpoint)
    if (early && 'error' in early) throw early.error
    const input = early ?? (await read())
    if (byKey && endpoint.callsOf) await countCalls(context, byKey, endpoint.callsOf(input.body))
    const args = { context, params, caller, ...input, begun: authenticated.begun }
    if (endpoint.paged) return await listResponse(request, endpoint, args)
    const run = () => endpoint.run(args)
    const { idempotencyKey: key } = input
    // An order, which is placed with the look-up of its caller, compares what it was sent with itself.
    if (!key || !caller || endpoint.first) return await jsonResponse(request, endpoint, await run())
    const path = publicPath(new URL(request.url).pathname)
    const content = [request.method, path, input.query, input.body, input.ifMatch]
    const result = await withSubmission(context, { actor: caller.id, key, content, message: keyUsed }, run)
    return await jsonResponse(request, endpoint, result)
  } catch (error) {
    if (error instanceof MalformedRequest) return errorJson(error.status, error.code, error.message)
    if (error instanceof Refusal) {
      context.fault ??= error.cause
      logRefusal(context, error, caller?.id)
      return refusalResponse(error)
    }
    context.fault ??= error
    return context.outage || error instanceof ProviderError
      ? errorJson(503, 'unavailable', 'The shop is unavailable right now. Try again in a moment.', {
          'retry-after': '10',
        })
      : errorJson(500, 'internal', 'Something went wrong on our side.')
  }
}

async function listResponse(
  request: Request,
  endpoint: Endpoint,
  args: Parameters<Endpoint['run']>[0],
): Promise<Response> {
  const read = (after = args.query.after) => {
    const query = { ...args.query, after, limit: args.query.limit ?? rowsOfPart }
    return endpoint.run({ ...args, query }) as Promise<ListPage<unknown[]>>
  }
  const url = new URL(request.url)
  const limit = Number(args.query.limit ?? Infinity)
  const isLong = limit > rowsOfPart
  // The page cache makes one copy of the whole list for all who read it, and waits for its turn.
  if (isLong && url.search !== '' && endpoint.auth === 'anyone') readThrottle.require()
  if (isLong && limit < Infinity) await readThrottle.take(limit)
  const first = await read()
  if (first.next !== null && limit === Infinity) {
    await readThrottle.take()
    // The 200 status has been sent: only aborting the body tells the client.
    const logAndAbort = (error: unknown) => {
      logError('error', 'request failed', error, { requestId: args.context.requestId, status: 200 })
      throw error
    }
    return new Response(streamOf(partsOf(first, (after) => read(after).catch(logAndAbort))), { headers: jsonHeaders })
  }
  const response = await jsonResponse(request, endpoint, first.items)
  if (first.next === null) return response
  url.searchParams.set('after', first.next)
  response.headers.set('link', `<${publicPath(url.pathname)}${url.search}>; rel="next"`)
  return response
}

async function* partsOf(
  first: ListPage<unknown[]>,
  read: (after: string) => Promise<ListPage<unknown[]>>,
): AsyncGenerator<string, void> {
  let page = first
  for (let start = '['; ; start = ',') {
    const items = page.items.map((item) => JSON.stringify(item)).join(',')
    yield (items && start + items) + (page.next === null ? ']' : '')
    if (page.next === null) return
    await readThrottle.take()
    page = await read(page.next)
  }
}

const keyUsed = 'This Idempotency-Key was sent before, with something else. Send another one with each change.'

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }

/** Only public responses may be cached; of the others, those of some calls have an ETag, for who has kept one. */
async function jsonResponse(request: Request, endpoint: Endpoint, value: unknown): Promise<Response> {
  const body = JSON.stringify(value)
  if (!hasETag(endpoint)) return new Response(body, { headers: jsonHeaders })
  const etag = await tagOfJson(body)
  const headers = { ...jsonHeaders, etag, ...(endpoint.auth === 'anyone' && { 'cache-control': 'public, no-cache' }) }
  if (etagMatches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers })
}

async function readInput(request: Request, endpoint: Endpoint) {
  const query = readQuery(request, (endpoint.query ?? z.object({})).strict())
  const body: unknown = endpoint.body && (await readJson(request, endpoint.body, endpoint.maxBytes))
  return {
    ...{ query, body, ifMatch: endpoint.ifMatch ? readIfMatch(request) : undefined },
    idempotencyKey: endpoint.idempotent && readIdempotencyKey(request, endpoint.idempotent),
  }
}

export interface Authenticated {
  caller: SignedInUser | null
  begun?: unknown
}

/** A bearer token takes precedence: with an invalid one, the session cookie does not count. */
async function authenticate(
  request: Request,
  context: AppLoadContext,
  endpoint: Endpoint,
  first: (callerId: CallerId) => Promise<BatchPart<unknown> | null>,
): Promise<Authenticated> {
  if (endpoint.auth === 'anyone') return { caller: null }
  const authorization = request.headers.get('authorization')
  const found = await findCaller(context, authorization, first)
  if (found.caller) return found
  if (authorization !== null) logSecurityEvent(context, 'access token refused')
  const message = authorization === null ? 'Log in first.' : 'This access token is invalid or has expired.'
  throw new Refusal('unauthenticated', message)
}

async function findCaller(
  context: AppLoadContext,
  authorization: string | null,
  first: (callerId: CallerId) => Promise<BatchPart<unknown> | null>,
): Promise<Authenticated> {
  const token = bearerOf(authorization)
  const secret = authorization === null ? context.sessionSecret : token
  const found = secret ? await (token ? tokenUser : sessionUser)(context, secret) : null
  const part = found && (await first(found.id))
  const begun = part && (await beginWith(context, found, part))
  if (begun) return begun
  const caller = authorization === null ? await context.user() : ((await found?.select)?.[0] ?? null)
  return { caller, ...(part && { begun: null }) }
}

async function requireRole(context: AppLoadContext, caller: SignedInUser | null, { auth, forbidden }: Endpoint) {
  if (auth !== 'admin' || caller?.role === 'admin') return
  const isFormer = !forbidden && caller && (await wasAdmin(context, caller))
  throw new Refusal('forbidden', isFormer ? noLongerAdmin : (forbidden ?? 'This is for admins only.'))
}

function readIdempotencyKey(request: Request, idempotent: true | 'required'): string | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null && idempotent === 'required')
    throw new MalformedRequest(400, 'malformed', 'This call needs an Idempotency-Key: with it, a repeat has no effect.')
  if (key === null) return undefined
  if (/^[\w-]{8,100}$/.test(key)) return key
  throw new MalformedRequest(400, 'malformed', 'An Idempotency-Key must have 8 to 100 letters, digits, - and _ only.')
}

function refusalResponse({ code, message, fields, retryAfter }: Refusal): Response {
  const headers = {
    ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}),
    ...(statusOf(code) === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  }
  return errorJson(statusOf(code), code, message || 'Some fields are not valid.', headers, fields)
}
