import { createSession, endSession, listSessions, readSession } from './checkout-sessions'
import { confirmIntent, type Caller } from './confirmation'
import { listEvents } from './events'
import type { Form } from '../core/form'
import { cancelIntent, createIntent, listIntents, readIntent } from './payment-intents'
import { createRefund, listRefunds, readRefund } from './refunds'
import type { Desk } from '../core/types'

export interface Call {
  desk: Desk
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
  { method: 'POST', path: /^payment_intents$/, run: ({ desk, form }) => createIntent(desk, form) },
  { method: 'GET', path: /^payment_intents$/, run: ({ desk, form }) => listIntents(desk, form) },
  {
    method: 'GET',
    path: /^payment_intents\/(?!search$)([^/]+)$/,
    run: ({ desk, form, id, caller }) => readIntent(desk, form, id, caller),
    browser: true,
  },
  {
    method: 'POST',
    path: /^payment_intents\/([^/]+)\/confirm$/,
    run: ({ desk, form, id, caller }) => confirmIntent(desk, form, id, caller),
    browser: true,
  },
  {
    method: 'POST',
    path: /^payment_intents\/([^/]+)\/cancel$/,
    run: ({ desk, form, id }) => cancelIntent(desk, form, id),
  },
  { method: 'POST', path: /^checkout\/sessions$/, run: ({ desk, form }) => createSession(desk, form) },
  { method: 'GET', path: /^checkout\/sessions$/, run: ({ desk, form }) => listSessions(desk, form) },
  { method: 'GET', path: /^checkout\/sessions\/([^/]+)$/, run: ({ desk, form, id }) => readSession(desk, form, id) },
  {
    method: 'POST',
    path: /^checkout\/sessions\/([^/]+)\/expire$/,
    run: ({ desk, form, id }) => endSession(desk, form, id),
  },
  { method: 'POST', path: /^refunds$/, run: ({ desk, form }) => createRefund(desk, form) },
  { method: 'GET', path: /^refunds$/, run: ({ desk, form }) => listRefunds(desk, form) },
  { method: 'GET', path: /^refunds\/([^/]+)$/, run: ({ desk, form, id }) => readRefund(desk, form, id) },
  { method: 'GET', path: /^events$/, run: ({ desk, form }) => listEvents(desk.account, form) },
]

export function findCall(method: string, pathname: string): { route: Route; id: string } | null {
  const path = pathname.replace(/^\/v1\//, '')
  for (const route of routes) {
    const match = route.method === method && route.path.exec(path)
    if (match) return { route, id: match[1] ?? '' }
  }
  return null
}
