import { listCharges } from './charges'
import { createSession, expireOpenSession, listSessions, readSession } from './checkout-sessions'
import { confirmIntent, type Caller } from './confirmation'
import { closeDispute, listDisputes, readDispute, updateDispute } from './disputes'
import { listEvents } from './events'
import type { Form } from '../core/form'
import { cancelIntent, createIntent, listIntents, readIntent } from './payment-intents'
import { createRefund, listRefunds, readRefund } from './refunds'
import type { RequestContext } from '../core/types'

export interface Call {
  context: RequestContext
  form: Form
  id: string
  caller: Caller
}

export interface Route {
  method: 'GET' | 'POST'
  path: RegExp
  run: (call: Call) => unknown
  browser?: true
}

const routes: Route[] = [
  { method: 'POST', path: /^payment_intents$/, run: ({ context, form }) => createIntent(context, form) },
  { method: 'GET', path: /^payment_intents$/, run: ({ context, form }) => listIntents(context, form) },
  {
    method: 'GET',
    path: /^payment_intents\/(?!search$)([^/]+)$/,
    run: ({ context, form, id, caller }) => readIntent(context, form, id, caller),
    browser: true,
  },
  {
    method: 'POST',
    path: /^payment_intents\/([^/]+)\/confirm$/,
    run: ({ context, form, id, caller }) => confirmIntent(context, form, id, caller),
    browser: true,
  },
  {
    method: 'POST',
    path: /^payment_intents\/([^/]+)\/cancel$/,
    run: ({ context, form, id }) => cancelIntent(context, form, id),
  },
  { method: 'POST', path: /^checkout\/sessions$/, run: ({ context, form }) => createSession(context, form) },
  { method: 'GET', path: /^checkout\/sessions$/, run: ({ context, form }) => listSessions(context, form) },
  {
    method: 'GET',
    path: /^checkout\/sessions\/([^/]+)$/,
    run: ({ context, form, id }) => readSession(context, form, id),
  },
  {
    method: 'POST',
    path: /^checkout\/sessions\/([^/]+)\/expire$/,
    run: ({ context, form, id }) => expireOpenSession(context, form, id),
  },
  { method: 'POST', path: /^refunds$/, run: ({ context, form }) => createRefund(context, form) },
  { method: 'GET', path: /^refunds$/, run: ({ context, form }) => listRefunds(context, form) },
  { method: 'GET', path: /^refunds\/([^/]+)$/, run: ({ context, form, id }) => readRefund(context, form, id) },
  { method: 'GET', path: /^disputes$/, run: ({ context, form }) => listDisputes(context, form) },
  { method: 'GET', path: /^disputes\/([^/]+)$/, run: ({ context, form, id }) => readDispute(context, form, id) },
  { method: 'POST', path: /^disputes\/([^/]+)$/, run: ({ context, form, id }) => updateDispute(context, form, id) },
  {
    method: 'POST',
    path: /^disputes\/([^/]+)\/close$/,
    run: ({ context, form, id }) => closeDispute(context, form, id),
  },
  { method: 'GET', path: /^charges$/, run: ({ context, form }) => listCharges(context, form) },
  { method: 'GET', path: /^events$/, run: ({ context, form }) => listEvents(context.account, form) },
]

export function findCall(method: string, pathname: string): { route: Route; id: string } | null {
  const path = pathname.replace(/^\/v1\//, '')
  for (const route of routes) {
    const match = route.method === method && route.path.exec(path)
    if (match) return { route, id: match[1] ?? '' }
  }
  return null
}
