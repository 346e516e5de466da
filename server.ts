import type { AppLoadContext } from '@remix-run/cloudflare'
import { errorJson } from './app/http/api.server'
import { readConfig } from './app/http/config.server'
import { isForeign, toOwnAddress, turnAway } from './app/http/guard.server'
import { finishHeaders } from './app/http/headers.server'
import { logError, requestIdOf } from './app/http/log.server'
import { isNegotiated, negotiate } from './app/http/negotiate.server'
import { createRouter } from './app/http/router.server'
import { renewWindow, showToAll } from './app/http/shop-window.server'
import type { Deps } from './app/store/deps'
import { keepHouse } from './app/store/housekeeping.server'
import * as build from './build/server'
import { getLoadContext } from './load-context'

const handle = createRouter(build, 'production')

const verbs = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

async function route(request: Request, context: AppLoadContext): Promise<Response> {
  // The router would answer in words of its own, and write each into the log as an error.
  if (!verbs.includes(request.method)) {
    return errorJson(405, 'method-not-allowed', 'No path takes this verb.', { allow: verbs.join(', ') })
  }
  // Remix's older way to ask for a route's data, which no page of ours uses, answers in its own words.
  const url = new URL(request.url)
  if (url.searchParams.has('_data')) {
    return errorJson(422, 'invalid', 'Some fields are not right.', {}, { _data: ['Nothing takes this field'] })
  }
  const negotiated = negotiate(withoutUselessBody(request))
  if (!negotiated) return errorJson(404, 'not-found', 'There is no such path.')
  const response = await handle(negotiated, context)
  if (isNegotiated(url.pathname)) response.headers.append('vary', 'Accept')
  return response
}

/** A GET may come with a body, which means nothing: Remix would copy the request and fail, since no Request is made of those. */
function withoutUselessBody(request: Request): Request {
  const { url, method, headers, signal, body } = request
  if (!['GET', 'HEAD'].includes(method) || body === null) return request
  return new Request(url, { method, headers, signal, redirect: 'manual' })
}

async function answer(request: Request, env: object, ctx: Context): Promise<Response> {
  const context = await getLoadContext({ request, context: { cloudflare: { env, ctx } } }, (what) =>
    renewWindow(placeOf(env, ctx), what),
  )
  const response = await route(request, context)
  // An answer that failed because the database is away is worth another try soon; one that failed by a bug is not.
  const away = response.status === 500 && context.outage
  if (!away) return finished(response, context)
  const told = new Response(response.body, { status: 503, headers: response.headers })
  told.headers.set('retry-after', '10')
  return finished(told, context)
}

function finished(response: Response, { origin, requestId }: { origin: string; requestId: string }): Response {
  finishHeaders(response.headers, { https: origin.startsWith('https:'), requestId })
  return response
}

interface Context {
  waitUntil: (task: Promise<unknown>) => void
}

function placeOf(env: object, ctx: Context) {
  return { env, ctx, version: build.assets.version }
}

export default {
  fetch(request, env, ctx) {
    const { SHOP_ORIGIN: origin } = readConfig(env)
    const make = (asked: Request) => answer(asked, env, ctx)
    const instead = isForeign(request) ? turnAway(request, origin) : toOwnAddress(request, origin)
    if (instead instanceof Request) return make(instead)
    if (instead) return finished(instead, { origin, requestId: requestIdOf(request) })
    return showToAll(request, placeOf(env, ctx), make) ?? make(request)
  },

  async scheduled(_event, env, ctx) {
    const request = new Request('https://cron.invalid/')
    const changed: Deps['changed'] = (what) => renewWindow(placeOf(env, ctx), what)
    const context = await getLoadContext({ request, context: { cloudflare: { env, ctx } } }, changed)
    await keepHouse(context).catch((error: unknown) => logError(context.requestId, error))
  },
} satisfies ExportedHandler<object>
