import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { codeOf, logEvent } from '../http/log.server'
import { SharedWork } from '../http/shared-work.server'
import { checkDeeply, isHealthy } from '../store/operations/health.server'

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (new URL(request.url).searchParams.has('deep')) return deepHealth(context)
  const ok = await isHealthy(context)
  return Response.json({ ok }, { status: ok ? 200 : 503 })
}

/** Anybody may ask: the answer is reused as long as a page of the page cache, and one check runs at a time per Worker. */
const answers = new WeakMap<object, { until: number; check: SharedWork<Awaited<ReturnType<typeof check>>> }>()

/** Milliseconds. Its request may have been cancelled, and the check with it: then it never ends. */
const longestCheck = 15_000

async function deepHealth(context: AppLoadContext): Promise<Response> {
  const { config, now } = context
  // Its line stands in the log already.
  context.isReported = true
  const last = answers.get(config)
  const known = last && last.until > now() ? await last.check.wait(longestCheck) : null
  const { ok, ...answer } = known?.value ?? (await checkOnce(context))
  return Response.json({ ok, ...answer }, { status: ok ? 200 : 503 })
}

async function checkOnce(context: AppLoadContext) {
  const { config, now } = context
  const own = { until: now() + longestCheck, check: new SharedWork(() => check(context)) }
  answers.set(config, own)
  const answer = await own.check.result
  own.until = now() + config.EDGE_CACHE_SECONDS * 1000
  return answer
}

async function check(context: AppLoadContext) {
  const at = new Date(context.now()).toISOString()
  const { checks, error } = await checkDeeply(context)
  const failed = Object.keys(checks).filter((name) => !checks[name]!.ok)
  if (failed.length > 0) {
    const late = { schema: 'database-schema', write: 'database-replica' }[failed[0]!] ?? `${failed[0]}-late`
    const code = error === undefined ? late : codeOf(error, context.outage)
    logEvent('error', 'unhealthy', { code, requestId: context.requestId, failed })
  }
  return { ok: failed.length === 0, at, checks }
}
