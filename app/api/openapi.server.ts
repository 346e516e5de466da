import { z } from 'zod'
import { methods, type ApiPath, type Endpoint, type Method } from './endpoint.server'
import { apiPaths } from './endpoints/index.server'

const ErrorShape = z
  .strictObject({
    error: z.strictObject({
      code: z.string(),
      message: z.string(),
      fields: z.record(z.string(), z.array(z.string())).optional(),
    }),
  })
  .meta({ id: 'Error', description: 'Why a call was refused, in words for the person who asked' })

type Named = Record<string, object>

const reasons: Record<number, string> = {
  400: 'The request cannot be read',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not there',
  409: 'The state of the shop is not what the request takes for granted',
  413: 'The body is too long',
  415: 'The body is not JSON',
  422: 'A field breaks a rule',
  429: 'Tried too often: Retry-After says when to try again',
  500: 'A bug of the shop',
  503: 'Something that the shop needs is away: Retry-After may say when to try again',
}

/** The OpenAPI 3.1 document of the API: made of the very schemas that the calls run by. */
export function describeApi(origin: string) {
  const named: Named = {}
  schemaOf(ErrorShape, 'output', named)
  const paths = Object.fromEntries(apiPaths.map((each) => [each.path, describePath(each, named)]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cadenza',
      version: '1.0.0',
      description:
        'The calls of the Cadenza shop, for programs. Money is US dollars. docs/api.md leads through a whole order.',
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: named,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of PUT /user/{email}' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'From /login; named __Host-session over https',
        },
      },
    },
  }
}

function describePath({ path, endpoints }: ApiPath, named: Named) {
  const operations = methods.flatMap((method) => {
    const call = endpoints[method]
    return call ? [[method.toLowerCase(), describe(path, method, call, named)]] : []
  })
  return Object.fromEntries(operations) as Record<string, ReturnType<typeof describe>>
}

function describe(path: string, method: Method, call: Endpoint, named: Named) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const once = call.idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'The same key again is the same wish: it has one effect, and the same answer',
          schema: { type: 'string', pattern: '^[\\w-]{8,100}$' },
        },
      ]
    : []
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z]+([a-z])?/gi, (_, letter: string | undefined) => (letter ?? '').toUpperCase())}`,
    summary: call.summary,
    security: call.auth === 'anyone' ? [] : [{ bearer: [] }, { session: [] }],
    parameters: [...inPath, ...queryOf(call, named), ...once],
    ...(call.body && { requestBody: { required: true, content: json(schemaOf(call.body, 'input', named)) } }),
    responses: {
      200: { description: 'Done', content: json(schemaOf(call.output, 'output', named)) },
      ...(call.auth === 'anyone' && { 304: { description: 'As it was: the ETag is that of If-None-Match' } }),
      ...Object.fromEntries(refusalsOf(call).map((status) => [status, refusal(status)])),
    },
  }
}

/** The statuses that a call may be refused with, in order. */
function refusalsOf({ auth, body, idempotent, errors = [] }: Endpoint): number[] {
  const statuses = [
    ...(auth === 'anyone' ? [] : [401, 403]),
    ...(body ? [400, 413, 415] : []),
    ...(idempotent ? [400] : []),
    ...errors,
    422,
    500,
    503,
  ]
  return [...new Set(statuses)].sort((a, b) => a - b)
}

function refusal(status: number) {
  return { description: reasons[status], content: json({ $ref: '#/components/schemas/Error' }) }
}

function queryOf({ query }: Endpoint, named: Named) {
  if (!query) return []
  const { properties = {} } = schemaOf(query, 'input', named) as {
    properties?: Record<string, { description?: string }>
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }))
}

function json(schema: object) {
  return { 'application/json': { schema } }
}

/** The schema; those with a name of their own go to the document's components, which `named` gathers. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', named: Named): object {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const { $defs } = made
  delete made.$defs
  delete made.$schema
  Object.assign(named, relocated($defs ?? {}))
  return relocated(made)
}

function relocated<Schema extends object>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Schema
}
