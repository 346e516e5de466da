import type { AppLoadContext } from '@remix-run/cloudflare'
import type { z } from 'zod'
import type { User } from '../store/accounts/sign-in'

/** Who may make a call: anyone, whoever is signed in (for what is theirs), or admins. */
export type Auth = 'anyone' | 'signed-in' | 'admin'

/** What a call hears: what it was asked, read and checked, and who asks. */
interface EndpointArgs<Body, Query, Caller> {
  context: AppLoadContext
  params: Readonly<Record<string, string>>
  body: Body
  query: Query
  caller: Caller
  /** Names one wish of the caller's: the same key again is the same wish, not a second one. */
  idempotencyKey: string | undefined
}

/** One specified call: what it takes, who may make it, and what it answers. `/openapi.json` is made of these. */
export interface Endpoint {
  summary: string
  auth: Auth
  /** What somebody who may not is told, when the specification has words for it. */
  forbidden?: string
  body?: z.ZodType
  query?: z.ZodObject
  output: z.ZodType
  /** Statuses beside those that `who`, `body` and `query` bring about. */
  errors?: (403 | 404 | 409 | 422 | 429 | 503)[]
  /** Answers a list: `run` answers what stands on this page, and the id to continue after. It is always told a limit. */
  paged?: boolean
  /** Takes the header Idempotency-Key. */
  idempotent?: boolean
  run: (asked: EndpointArgs<never, never, never>) => Promise<unknown>
}

export interface ListPage<Items> {
  items: Items
  next: string | null
}

interface Definition<
  W extends Auth,
  Paged extends boolean,
  Body extends z.ZodType,
  Query extends z.ZodObject,
  Answer extends z.ZodType,
> extends Omit<Endpoint, 'who' | 'paged' | 'body' | 'query' | 'answer' | 'run'> {
  auth: W
  paged?: Paged
  body?: Body
  query?: Query
  output: Answer
  run: (
    asked: EndpointArgs<
      z.output<Body>,
      Paged extends true ? z.output<Query> & { limit: number } : z.output<Query>,
      W extends 'anyone' ? null : User
    >,
  ) => Promise<Paged extends true ? ListPage<z.input<Answer>> : z.input<Answer>>
}

/** Checks that a call's parts fit together. */
export function endpoint<
  W extends Auth,
  Answer extends z.ZodType,
  Paged extends boolean = false,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodObject = z.ZodObject,
>(definition: Definition<W, Paged, Body, Query, Answer>): Endpoint {
  return definition
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** A path of the API, with the names of its parts in braces, and the calls that it takes. */
export interface ApiPath {
  path: `/${string}`
  endpoints: Partial<Record<Method, Endpoint>>
}
