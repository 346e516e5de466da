import type { AppLoadContext } from '@remix-run/cloudflare'
import type { z } from 'zod'
import type { SignedInUser } from '../store/accounts/sign-in'
import type { CallerId, Statements } from '../store/accounts/sign-in.server'

export type Auth = 'anyone' | 'signed-in' | 'admin'

interface EndpointArgs<Body, Query, Caller> {
  context: AppLoadContext
  params: Readonly<Record<string, string>>
  body: Body
  query: Query
  caller: Caller
  idempotencyKey: string | undefined
  begun: Begun | undefined
}

/** The results of `first`; null when a rule of the database refused its batch, which then did nothing. */
export type Begun = unknown[] | null

interface FirstArgs<Body> {
  context: AppLoadContext
  params: Readonly<Record<string, string>>
  body: Body
  callerId: CallerId
  idempotencyKey: string | undefined
}

type First<Body> = (args: FirstArgs<Body>) => Statements | null | Promise<Statements | null>

/** In the API document; `param` stands in the path. */
interface Example<Body, Result> {
  param?: string
  body?: Body
  response: Result
}

export interface Endpoint {
  summary: string
  auth: Auth
  /** The 403 message, where the specification has one. */
  forbidden?: string
  body?: z.ZodType
  query?: z.ZodObject
  output: z.ZodType
  example?: Example<unknown, unknown>
  /** Beside those that `auth`, `body` and `query` imply. */
  errors?: (403 | 404 | 409 | 422 | 429 | 503)[]
  /** `run` returns one page and the cursor of the next, and always gets a limit. */
  paged?: boolean
  idempotent?: boolean
  /** Statements for the batch that looks up the caller, to spare a round trip; nothing may happen where `callerId` is null. */
  first?: First<never>
  run: (args: EndpointArgs<never, never, never>) => Promise<unknown>
}

export interface ListPage<Items> {
  items: Items
  next: string | null
}

interface Definition<
  A extends Auth,
  Paged extends boolean,
  Body extends z.ZodType,
  Query extends z.ZodObject,
  Output extends z.ZodType,
> extends Omit<Endpoint, 'auth' | 'paged' | 'body' | 'query' | 'output' | 'example' | 'first' | 'run'> {
  auth: A
  paged?: Paged
  body?: Body
  query?: Query
  output: Output
  example?: Example<z.input<Body>, z.input<Output>>
  first?: First<z.output<Body>>
  run: (
    args: EndpointArgs<
      z.output<Body>,
      Paged extends true ? z.output<Query> & { limit: number } : z.output<Query>,
      A extends 'anyone' ? null : SignedInUser
    >,
  ) => Promise<Paged extends true ? ListPage<z.input<Output>> : z.input<Output>>
}

export function endpoint<
  A extends Auth,
  Output extends z.ZodType,
  Paged extends boolean = false,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodObject = z.ZodObject,
>(definition: Definition<A, Paged, Body, Query, Output>): Endpoint {
  return definition
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

export interface ApiPath {
  path: `/${string}`
  tag: 'Instruments' | 'Orders' | 'Reviews' | 'Users'
  endpoints: Partial<Record<Method, Endpoint>>
}
