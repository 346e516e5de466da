import type Stripe from 'stripe'
import { json } from '../../json-response'

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

/** What stands under `error` in an answer: docs.stripe.com/api/errors. */
export interface ErrorBody {
  type: ErrorType
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  payment_intent?: Stripe.PaymentIntent
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    /** Whether the call had begun to run, so that its idempotency key keeps this answer. */
    readonly began: boolean,
  ) {
    super(body.message)
  }
}

/** A parameter is not as it must be: nothing ran, and no idempotency key keeps it. */
export function invalid(message: string, rest: Partial<ErrorBody> = {}): Refused {
  return new Refused(400, { type: 'invalid_request_error', message, ...rest }, false)
}

/** The call is well said, but its object is not in a state for it. */
export function unable(message: string, rest: Partial<ErrorBody> = {}): Refused {
  return new Refused(400, { type: 'invalid_request_error', message, ...rest }, true)
}

export function missing(what: string, id: string, param = 'id'): Refused {
  return new Refused(
    404,
    { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}: '${id}'`, param },
    false,
  )
}

/** Stripe would know this; the sandbox does not. */
export function unsupported(what: string): Refused {
  return new Refused(
    501,
    { type: 'api_error', code: 'sandbox_unsupported', message: `The sandbox does not know ${what}.` },
    false,
  )
}

export function errorAnswer(status: number, error: ErrorBody): Response {
  return json(status, { error })
}
