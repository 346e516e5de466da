import Stripe from 'stripe'
import { json } from '../json-response'
import { Interrupted, type Faults } from '../faults'
import { stripePublishableKey, stripeSecretKey } from '../keys'
import type { StateFile } from '../state-file'
import { openAccount } from './core/account'
import { findCall, type Call, type Route } from './api/calls'
import { publicPart, type Caller } from './api/confirmation'
import { newEvent } from './api/events'
import { parseForm } from './core/form'
import { newId } from './core/ids'
import { fingerprint, once, type Outcome } from './core/idempotency'
import { findPage } from './pages/pages'
import { Refused, errorAnswer, unsupported, type ErrorBody } from './core/refusal'
import { expireDue } from './api/session'
import { createWebhooks } from './api/webhooks'
import type { Desk, ObjectOf, Told } from './core/types'

interface Surroundings {
  memory: StateFile
  now: () => number
  faults: Faults
  webhookUrl: () => string
  log: (line: string) => void
}

export function fakeStripe({ memory, now, faults, webhookUrl, log }: Surroundings) {
  const account = openAccount(memory, now)
  const running = new Set<string>()
  const webhooks = createWebhooks({ account, memory, faults, webhookUrl, log })

  function deskFor(request: Request, cause: { id: string; idempotency_key: string | null } | null): Desk {
    function tell<T extends Told['type']>(type: T, object: ObjectOf<T>) {
      webhooks.send(newEvent(account, type, object, cause))
    }
    return { account, tell, origin: new URL(request.url).origin }
  }

  async function api(request: Request): Promise<Response> {
    const requestId = newId('req_', 14)
    const answer = await refusalsAnswered(request, () => call(request, requestId))
    answer.headers.set('request-id', requestId)
    const key = request.headers.get('idempotency-key')
    if (key !== null) answer.headers.set('idempotency-key', key)
    return answer
  }

  async function call(request: Request, requestId: string): Promise<Response> {
    const { method } = request
    const { pathname, search } = new URL(request.url)
    const caller = callerOf(request)
    requireKnownHeaders(request)
    const found = findCall(method, pathname)
    if (!found) throw unsupported(`${method} ${pathname}`)
    const { route, id } = found
    if (caller === 'browser' && !route.browser) throw secretKeyRequired()
    const form = parseForm(method === 'POST' ? await request.text() : search)
    const key = method === 'POST' ? request.headers.get('idempotency-key') : null
    const desk = deskFor(request, { id: requestId, idempotency_key: key })
    const core = () =>
      faults.around(
        'stripe',
        request,
        () => run(request, route, { desk, form, id, caller }),
        (status) => ({ status, body: { error: toldToFail(status) }, began: true }),
        'core',
      )
    const keyed = async () => {
      if (key !== null) {
        return once({ account, running, key, request: fingerprint(method, pathname, form), requestId }, core)
      }
      const { status, body } = await core()
      return json(status, body)
    }
    return faults.around(
      'stripe',
      request,
      () => refusalsAnswered(request, keyed),
      (status) => errorAnswer(status, toldToFail(status)),
      'front',
    )
  }

  function run(request: Request, route: Route, call: Call): Outcome {
    expireDue(deskFor(request, null))
    try {
      return { status: 200, body: route.run(call), began: true }
    } catch (error) {
      const refused = error instanceof Refused ? error : outage(request, error)
      tellOfUnknown(request, refused)
      return { status: refused.status, body: { error: shownTo(call.caller, refused.body) }, began: refused.began }
    } finally {
      memory.changed()
    }
  }

  async function refusalsAnswered(request: Request, act: () => Promise<Response>): Promise<Response> {
    try {
      return await act()
    } catch (error) {
      if (error instanceof Interrupted) throw error
      const refused = error instanceof Refused ? error : outage(request, error)
      tellOfUnknown(request, refused)
      return errorAnswer(refused.status, refused.body)
    }
  }

  function outage(request: Request, error: unknown): Refused {
    log(`stripe: ${request.method} ${request.url} threw ${error instanceof Error ? error.stack : String(error)}`)
    return new Refused(500, { type: 'api_error', message: 'The sandbox has a bug; its log says more.' }, true)
  }

  function tellOfUnknown(request: Request, { status, body }: Refused) {
    if (status !== 501 && body.code !== 'parameter_unknown') return
    log(`stripe: ${request.method} ${new URL(request.url).pathname}: ${body.message}`)
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/v1/')) return api(request)
    if (pathname === '/ledger' && request.method === 'GET') {
      expireDue(deskFor(request, null))
      return json(200, account.ledger)
    }
    const page = findPage(pathname)
    if (page) {
      const desk = deskFor(request, null)
      expireDue(desk)
      const answer = await page(desk, request)
      memory.changed()
      return answer
    }
    return refusalsAnswered(request, () => Promise.reject(unsupported(`${request.method} ${pathname}`)))
  }

  return { answer, start: () => webhooks.resume(), stop: () => webhooks.stop() }
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
  throw new Refused(401, { type: 'invalid_request_error', message }, false)
}

function requireKnownHeaders({ headers }: Request): void {
  const version = headers.get('stripe-version')
  if (version !== null && version !== Stripe.API_VERSION) {
    throw unsupported(`Stripe-Version ${version}, only ${Stripe.API_VERSION}`)
  }
  for (const name of ['stripe-account', 'stripe-context']) {
    if (headers.has(name)) throw unsupported(`the header ${name}`)
  }
}

function secretKeyRequired(): Refused {
  const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.'
  return new Refused(401, { type: 'invalid_request_error', code: 'secret_key_required', message }, false)
}

function shownTo(caller: Caller, { payment_intent: intent, ...error }: ErrorBody) {
  if (!intent) return error
  return { ...error, payment_intent: caller === 'browser' ? publicPart(intent) : intent }
}

function toldToFail(status: number): ErrorBody {
  const message = 'The sandbox was told to fail.'
  return status === 429
    ? { type: 'invalid_request_error', code: 'rate_limit', message }
    : { type: 'api_error', message }
}
