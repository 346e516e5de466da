import { createRequestHandler, type AppLoadContext } from '@remix-run/cloudflare'
import { errorJson } from './app/http/api.server'
import { refuseForeign, toOwnAddress } from './app/http/guard.server'
import { finishHeaders } from './app/http/headers.server'
import { logError } from './app/http/log.server'
import { isNegotiated, negotiate } from './app/http/negotiate.server'
import { keepHouse } from './app/store/housekeeping.server'
import * as build from './build/server'
import { getLoadContext } from './load-context'

const handle = createRequestHandler(build, 'production')

async function route(request: Request, context: AppLoadContext): Promise<Response> {
  const negotiated = negotiate(request)
  if (!negotiated) return errorJson(404, 'not-found', 'There is no such path.')
  const response = await handle(negotiated, context)
  if (!isNegotiated(new URL(request.url))) return response
  const answer = new Response(response.body, response)
  answer.headers.append('vary', 'Accept')
  return answer
}

export default {
  async fetch(request, env, ctx) {
    const context = await getLoadContext({ request, context: { cloudflare: { env, ctx } } })
    const response = refuseForeign(request) ?? toOwnAddress(request, context.origin) ?? (await route(request, context))
    // An answer that failed because the database is away is worth another try soon; one that failed by a bug is not.
    const away = response.status === 500 && context.outage
    const answer = new Response(response.body, away ? { status: 503, headers: response.headers } : response)
    if (away) answer.headers.set('retry-after', '10')
    finishHeaders(answer.headers, { https: context.origin.startsWith('https:'), requestId: context.requestId })
    return answer
  },

  async scheduled(_event, env, ctx) {
    const request = new Request('https://cron.invalid/')
    const context = await getLoadContext({ request, context: { cloudflare: { env, ctx } } })
    await keepHouse(context).catch((error: unknown) => logError(context.requestId, error))
  },
} satisfies ExportedHandler<object>
