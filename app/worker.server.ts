import type { AppLoadContext, ServerBuild } from '@remix-run/cloudflare'
import { serveApi } from './api/serve.server'
import { openDraft, withDrafts } from './http/auth/drafts.server'
import { invalidatePageCache, servePublicCopy } from './http/cache/page-cache.server'
import type { Platform } from './http/cache/extra'
import { logEvent, logPackageOutput } from './http/log.server'
import { checkOrigin } from './http/request/csrf.server'
import { choosePageOrJson, isServedAsJson } from './http/request/negotiate.server'
import { createRouter, refuseWhatNoRouteTakes } from './http/router.server'
import { inOrder } from './http/step'
import { getLoadContext, listenForSettings } from './load-context.server'
import { runScheduledTasks } from './store/operations/scheduled-tasks.server'
import { cleanAddress } from './store/shared/clean-text.server'
import { createDeliveries } from './worker/deliveries.server'
import { answerInAnyCase, sayWhatFailed } from './worker/faults.server'
import { speakEnglishAlone, speakGerman } from './worker/language.server'

/**
 * What happens to a request, in order; each step says why beside its code. `server.ts` takes this from the server build: bundled from source as
 * well, every module would exist twice and `instanceof` would fail between the copies.
 */
export function createWorker(build: ServerBuild, mode = 'production'): ExportedHandler<object> {
  // In development, Vite prints in the same process.
  if (mode === 'production') logPackageOutput(console)
  const { deliverAfterwards } = createDeliveries()

  const routes = createRouter(withDrafts(build), mode)
  const withContext = inOrder(
    [sayWhatFailed, speakEnglishAlone, refuseWhatNoRouteTakes, choosePageOrJson, deliverAfterwards, openDraft],
    (request, context) => (isServedAsJson(request) ? serveApi({ request, context }) : routes(request, context)),
  )
  const answer = inOrder([answerInAnyCase, checkOrigin, speakGerman, servePublicCopy], async (request, platform) =>
    withContext(request, await contextOf(request, platform)),
  )

  function platformOf(env: object, ctx: Platform['ctx']): Platform {
    const platform: Platform = {
      env,
      ctx,
      version: build.assets.version,
      listen: () => listenForSettings({ env, ctx }, (what) => invalidatePageCache(platform, what)),
    }
    return platform
  }

  function contextOf(request: Request, platform: Platform): Promise<AppLoadContext> {
    return getLoadContext({ request, ...platform }, (what) => invalidatePageCache(platform, what))
  }

  return {
    fetch(received, env, ctx) {
      const url = cleanAddress(received.url)
      return answer(url === received.url ? received : new Request(url, received), platformOf(env, ctx))
    },

    async scheduled(_event, env, ctx) {
      const context = await contextOf(new Request('https://cron.invalid/'), platformOf(env, ctx))
      try {
        const hasRun = await runScheduledTasks(context)
        if (!hasRun) logEvent('warn', 'cron skipped', { requestId: context.requestId })
      } catch {
        // Each failed task has its line. Cloudflare counts the run as failed.
        throw new Error('Some scheduled tasks failed')
      }
    },
  }
}
