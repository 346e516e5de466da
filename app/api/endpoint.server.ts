import type { AppLoadContext } from '@remix-run/cloudflare'
import type { z } from 'zod'
import type { SignedInUser } from '../store/accounts/sign-in'
import type { CallerId } from '../store/accounts/sign-in.server'
import type { BatchPart } from '../store/shared/batch.server'
import type { Scope } from '../store/integrations/scopes'

export type Auth = 'anyone' | 'signed-in' | 'admin'

interface EndpointArgs<Body, Query, Caller, Begun> {
  context: AppLoadContext
  params: Readonly<Record<string, string>>
  body: Body
  query: Query
  caller: Caller
  idempotencyKey: string | undefined
  /** The tags of which one must be that of what is changed; undefined: any, or none was named. */
  ifMatch: string[] | undefined
  /** The result of `first`; null when a rule of the database refused it, which then did nothing; undefined without. */
  begun: Begun | null | undefined
}

interface FirstArgs<Body> {
  context: AppLoadContext
  params: Readonly<Record<string, string>>
  body: Body
  callerId: CallerId
  idempotencyKey: string | undefined
}

type Part<Begun> = BatchPart<Begun> | null

/** In the API document; `param` stands in the path. */
interface Example<Body, Result> {
  param?: string
  body?: Body
  response: Result
}

export interface Endpoint {
  summary: string
  auth: Auth
  /** What an API key needs; without one, no key can make the call. Public calls need no key, and check one that is sent. */
  scope?: Scope
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
  /** It reads an Idempotency-Key; `required`: a call without one is refused, since a repeat would pay again. */
  idempotent?: true | 'required'
  /** Of the body; 64 kB unless it says so. */
  maxBytes?: number
  /** It reads If-Match: 412 to the tag of what has changed since. */
  ifMatch?: boolean
  /** A private response with an ETag, for programs that ask again and again. Public ones always have one. */
  conditional?: boolean
  // Methods, which may take less than `unknown`: `serve` passes what their own `body` and `query` have let through.
  /** As how many calls of its API key it counts; one unless it says so. */
  callsOf?(body: unknown): number
  /** For the batch that looks up the caller, to spare a round trip; nothing may happen where `callerId` is null. */
  first?(args: FirstArgs<unknown>): Part<unknown> | Promise<Part<unknown>>
  run(args: EndpointArgs<unknown, Record<string, unknown>, SignedInUser | null, unknown>): Promise<unknown>
}

/** Whether it answers If-None-Match with 304. */
export function hasETag({ auth, conditional }: Endpoint): boolean {
  return auth === 'anyone' || conditional === true
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
  Begun,
> extends Omit<Endpoint, 'auth' | 'paged' | 'body' | 'query' | 'output' | 'example' | 'callsOf' | 'first' | 'run'> {
  auth: A
  paged?: Paged
  body?: Body
  query?: Query
  output: Output
  example?: Example<z.input<Body>, z.input<Output>>
  callsOf?: (body: z.output<Body>) => number
  first?: (args: FirstArgs<z.output<Body>>) => Part<Begun> | Promise<Part<Begun>>
  run: (
    args: EndpointArgs<
      z.output<Body>,
      Paged extends true ? z.output<Query> & { limit: number } : z.output<Query>,
      A extends 'anyone' ? null : SignedInUser,
      Begun
    >,
  ) => Promise<Paged extends true ? ListPage<z.input<Output>> : z.input<Output>>
}

export function endpoint<
  A extends Auth,
  Output extends z.ZodType,
  Paged extends boolean = false,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodObject = z.ZodObject,
  Begun = never,
>(definition: Definition<A, Paged, Body, Query, Output, Begun>): Endpoint {
  return definition
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

export interface ApiPath {
  path: `/${string}`
  tag: 'Instruments' | 'Orders' | 'Reviews' | 'Users' | 'Webhooks'
  endpoints: Partial<Record<Method, Endpoint>>
}
