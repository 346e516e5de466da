import type { AppLoadContext, ServerBuild } from '@remix-run/cloudflare'
import { errorJson } from './http/errors'
import { readConfig } from './http/config.server'
import { isCrossSite, redirectToOrigin, rejectCrossSite } from './http/csrf.server'
import { finishHeaders } from './http/headers.server'
import { logError, requestIdOf } from './http/log.server'
import { isNegotiated, negotiate } from './http/negotiate.server'
import { createRouter } from './http/router.server'
import { invalidatePageCache, servePublicPage } from './http/cache/page-cache.server'
import { runScheduledTasks } from './store/scheduled-tasks.server'
import { getLoadContext } from './load-context.server'

const verbs = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

interface Context {
  waitUntil: (task: Promise<unknown>) => void
}

/**
 * The Worker: all that a request meets before and after the routes. `server.ts` gets it out of the server build (it is exported
 * by entry.server.tsx), so that the Worker is one module graph: bundled from source beside that build, every module would
 * exist twice, and `instanceof` would fail between the two.
 */
export function createWorker(build: ServerBuild, mode = 'production'): ExportedHandler<object> {
  const handle = createRouter(build, mode)
  const placeOf = (env: object, ctx: Context) => ({ env, ctx, version: build.assets.version })
  const contextOf = (request: Request, env: object, ctx: Context) =>
    getLoadContext({ request, env, ctx }, (what) => invalidatePageCache(placeOf(env, ctx), what))

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

  async function answer(request: Request, env: object, ctx: Context): Promise<Response> {
    const context = await contextOf(request, env, ctx)
    const response = await route(request, context)
    // An answer that failed because the database is away is worth another try soon; one that failed by a bug is not.
    const away = response.status === 500 && context.outage
    if (!away) return finished(response, context)
    const told = new Response(response.body, { status: 503, headers: response.headers })
    told.headers.set('retry-after', '10')
    return finished(told, context)
  }

  return {
    fetch(request, env, ctx) {
      const { SHOP_ORIGIN: origin } = readConfig(env)
      const make = (asked: Request) => answer(asked, env, ctx)
      const instead = isCrossSite(request) ? rejectCrossSite(request, origin) : redirectToOrigin(request, origin)
      if (instead instanceof Request) return make(instead)
      if (instead) return finished(instead, { origin, requestId: requestIdOf(request) })
      return servePublicPage(request, placeOf(env, ctx), make) ?? make(request)
    },

    async scheduled(_event, env, ctx) {
      const context = await contextOf(new Request('https://cron.invalid/'), env, ctx)
      await runScheduledTasks(context).catch((error: unknown) => logError(context.requestId, error))
    },
  }
}

/** A GET may come with a body, which means nothing: Remix would copy the request and fail, since no Request is made of those. */
function withoutUselessBody(request: Request): Request {
  const { url, method, headers, signal, body } = request
  if (!['GET', 'HEAD'].includes(method) || body === null) return request
  return new Request(url, { method, headers, signal, redirect: 'manual' })
}

function finished(response: Response, { origin, requestId }: { origin: string; requestId: string }): Response {
  finishHeaders(response.headers, { https: origin.startsWith('https:'), requestId })
  return response
}
