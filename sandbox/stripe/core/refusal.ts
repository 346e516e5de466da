import type Stripe from 'stripe'
import { json } from '../../json-response'

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

/** https://docs.stripe.com/api/errors */
export interface ErrorBody {
  type: ErrorType
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  payment_intent?: Stripe.PaymentIntent
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    /** The idempotency key stores the response only if the call was executed. */
    readonly executed: boolean,
  ) {
    super(body.message)
  }
}

export function invalid(message: string, rest: Partial<ErrorBody> = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...rest }, false)
}

export function invalidState(message: string, rest: Partial<ErrorBody> = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...rest }, true)
}

export function missing(what: string, id: string, param = 'id'): ApiError {
  return new ApiError(
    404,
    { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}: '${id}'`, param },
    false,
  )
}

export function unsupported(what: string): ApiError {
  return new ApiError(
    501,
    { type: 'api_error', code: 'sandbox_unsupported', message: `The sandbox does not know ${what}.` },
    false,
  )
}

export function errorResponse(status: number, error: ErrorBody): Response {
  return json(status, { error })
}
