import { createRequestHandler } from '@remix-run/cloudflare'
import { refuseForeign, toOwnAddress } from './app/http/guard.server'
import { finishHeaders } from './app/http/headers.server'
import { logError } from './app/http/log.server'
import { keepHouse } from './app/store/housekeeping.server'
import * as build from './build/server'
import { getLoadContext } from './load-context'

const handle = createRequestHandler(build, 'production')

export default {
  async fetch(request, env, ctx) {
    const context = await getLoadContext({ request, context: { cloudflare: { env, ctx } } })
    const response = refuseForeign(request) ?? toOwnAddress(request, context.origin) ?? (await handle(request, context))
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
