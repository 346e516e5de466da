import Stripe from 'stripe'
import { json } from '../json-response'
import { InterruptedRequest, type FaultController } from '../faults'
import { stripePublishableKey, stripeSecretKey } from '../keys'
import type { StateFile } from '../state-file'
import { openAccount } from './core/account'
import { findCall, type Call, type Route } from './api/calls'
import { publicPart, type Caller } from './api/confirmation'
import { newEvent } from './api/events'
import { parseForm } from './core/form'
import { newId } from './core/ids'
import { fingerprint, runOnce, type Outcome } from './core/idempotency'
import { findPage } from './pages/pages'
import { ApiError, errorResponse, unsupported, type ErrorBody } from './core/refusal'
import { expireDueSessions } from './api/session'
import { createWebhooks } from './api/webhooks'
import type { RequestContext, ObjectOf, WebhookEvent } from './core/types'

interface FakeStripeOptions {
  stateFile: StateFile
  now: () => number
  faults: FaultController
  webhookUrl: () => string
  log: (line: string) => void
}

export function fakeStripe({ stateFile, now, faults, webhookUrl, log }: FakeStripeOptions) {
  const account = openAccount(stateFile, now)
  const running = new Set<string>()
  const webhooks = createWebhooks({ account, stateFile, faults, webhookUrl, log })

  function contextFor(request: Request, cause: { id: string; idempotency_key: string | null } | null): RequestContext {
    function emit<T extends WebhookEvent['type']>(type: T, object: ObjectOf<T>) {
      webhooks.send(newEvent(account, type, object, cause))
    }
    return { account, emit, origin: new URL(request.url).origin }
  }

  async function api(request: Request): Promise<Response> {
    const requestId = newId('req_', 14)
    const handle = await catchErrors(request, () => call(request, requestId))
    handle.headers.set('request-id', requestId)
    const key = request.headers.get('idempotency-key')
    if (key !== null) handle.headers.set('idempotency-key', key)
    return handle
  }

  async function call(request: Request, requestId: string): Promise<Response> {
    const { method } = request
    const { pathname, search } = new URL(request.url)
    const caller = callerOf(request)
    requireSupportedHeaders(request)
    const match = findCall(method, pathname)
    if (!match) throw unsupported(`${method} ${pathname}`)
    const { route, id } = match
    if (caller === 'browser' && !route.browser) throw secretKeyRequired()
    const form = parseForm(method === 'POST' ? await request.text() : search)
    const key = method === 'POST' ? request.headers.get('idempotency-key') : null
    const context = contextFor(request, { id: requestId, idempotency_key: key })
    const runCore = () =>
      faults.run(
        'stripe',
        request,
        () => run(request, route, { context, form, id, caller }),
        (status) => ({ status, body: { error: injectedError(status) }, executed: true }),
        'core',
      )
    const idempotent = async () => {
      if (key !== null) {
        return runOnce(
          { account, stateFile, running, key, request: fingerprint(method, pathname, form), requestId },
          runCore,
        )
      }
      const { status, body } = await runCore()
      return json(status, body)
    }
    return faults.run(
      'stripe',
      request,
      () => catchErrors(request, idempotent),
      (status) => errorResponse(status, injectedError(status)),
      'front',
    )
  }

  function run(request: Request, route: Route, call: Call): Outcome {
    expireDueSessions(contextFor(request, null))
    try {
      return { status: 200, body: route.run(call), executed: true }
    } catch (error) {
      const apiError = error instanceof ApiError ? error : internalError(request, error)
      logUnsupported(request, apiError)
      return {
        status: apiError.status,
        body: { error: errorFor(call.caller, apiError.body) },
        executed: apiError.executed,
      }
    } finally {
      stateFile.write()
    }
  }

  async function catchErrors(request: Request, run: () => Promise<Response>): Promise<Response> {
    try {
      return await run()
    } catch (error) {
      if (error instanceof InterruptedRequest) throw error
      const apiError = error instanceof ApiError ? error : internalError(request, error)
      logUnsupported(request, apiError)
      return errorResponse(apiError.status, apiError.body)
    }
  }

  function internalError(request: Request, error: unknown): ApiError {
    log(`stripe: ${request.method} ${request.url} threw ${error instanceof Error ? error.stack : String(error)}`)
    return new ApiError(500, { type: 'api_error', message: 'The sandbox has a bug; its log says more.' }, true)
  }

  function logUnsupported(request: Request, { status, body }: ApiError) {
    if (status !== 501 && body.code !== 'parameter_unknown') return
    log(`stripe: ${request.method} ${new URL(request.url).pathname}: ${body.message}`)
  }

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/v1/')) return api(request)
    if (pathname === '/ledger' && request.method === 'GET') {
      expireDueSessions(contextFor(request, null))
      stateFile.write()
      return json(200, [...account.ledger.values()])
    }
    const page = findPage(pathname)
    if (page) {
      const context = contextFor(request, null)
      expireDueSessions(context)
      const handle = await page(context, request)
      stateFile.write()
      return handle
    }
    return catchErrors(request, () => Promise.reject(unsupported(`${request.method} ${pathname}`)))
  }

  return { handle, start: () => webhooks.resume(), stop: () => webhooks.stop() }
}

function callerOf(request: Request): Caller {
  const [scheme = '', credentials = ''] = (request.headers.get('authorization') ?? '').split(' ')
  const key =
    scheme.toLowerCase() === 'basic' ? (Buffer.from(credentials, 'base64').toString().split(':')[0] ?? '') : credentials
  if (key === stripeSecretKey) return 'shop'
  if (key === stripePublishableKey) return 'browser'
  const message = key
    ? `Invalid API Key provided: ${key.slice(0, 8)}****`
    : 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.'
  throw new ApiError(401, { type: 'invalid_request_error', message }, false)
}

function requireSupportedHeaders({ headers }: Request): void {
  const version = headers.get('stripe-version')
  if (version !== null && version !== Stripe.API_VERSION) {
    throw unsupported(`Stripe-Version ${version}, only ${Stripe.API_VERSION}`)
  }
  for (const name of ['stripe-account', 'stripe-context']) {
    if (headers.has(name)) throw unsupported(`the header ${name}`)
  }
}

function secretKeyRequired(): ApiError {
  const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.'
  return new ApiError(401, { type: 'invalid_request_error', code: 'secret_key_required', message }, false)
}

function errorFor(caller: Caller, { payment_intent: intent, ...error }: ErrorBody) {
  if (!intent) return error
  return { ...error, payment_intent: caller === 'browser' ? publicPart(intent) : intent }
}

function injectedError(status: number): ErrorBody {
  const message = 'The sandbox fails on purpose.'
  return status === 429
    ? { type: 'invalid_request_error', code: 'rate_limit', message }
    : { type: 'api_error', message }
}
