import { z } from 'zod'
import { hasETag, methods, type ApiPath, type Auth, type Endpoint, type Method } from './endpoint.server'
import { apiPaths } from './endpoints/index.server'
import { webhookPayloads, type WebhookPayload } from '../store/integrations/webhook-events.server'
import { scopes } from '../store/integrations/scopes'
import { shopName } from '../shop-name'

const ErrorShape = z
  .strictObject({
    error: z.strictObject({
      code: z.string(),
      message: z.string(),
      fields: z.record(z.string(), z.array(z.string())).optional(),
    }),
  })
  .meta({ id: 'Error', description: 'Why a call was refused, for the user to read' })

type Components = Record<string, object>

const tags: Record<ApiPath['tag'], string> = {
  Instruments: 'What is on sale',
  Orders: 'Orders and their payment',
  Reviews: 'What customers say',
  Users: 'Accounts, profiles and access tokens',
  Webhooks: 'Where the shop posts its events',
}

const access: Record<Auth, string> = {
  anyone: 'For everybody.',
  'signed-in': 'For signed-in users.',
  admin: 'For admins.',
}

const reasons: Record<number, string> = {
  400: 'The request cannot be read',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'The request conflicts with the current state',
  412: 'It has changed since it had the ETag of If-Match',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'A field is not valid',
  429: 'Rate limited',
  500: 'Internal error',
  503: 'Database or payment provider unavailable',
}

/** Those that a response may have, and those that it always has. */
const headers: Record<string, { description: string; required?: true; schema: object }> = {
  ETag: {
    description: 'For If-None-Match. A filtered list of more than 250 items has none without limit',
    schema: { type: 'string' },
  },
  Link: {
    description: 'The next page, as <…>; rel="next": neither on the last page nor without limit',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'With an API key: the calls that are left (r) for so many seconds (t)',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'With an API key: its quota (q) for each window of so many seconds (w)',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds until a repeat may succeed. Not on every 503',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
  },
  'WWW-Authenticate': { description: 'How to sign in', required: true, schema: { type: 'string', const: 'Bearer' } },
  'X-Request-Id': {
    description: 'Identifies the request in the log. A cached list has none',
    schema: { type: 'string' },
  },
}

function describeHeaders(endpoint: Endpoint, status: number) {
  const names = [
    ...(status < 400 && hasETag(endpoint) ? ['ETag'] : []),
    ...(status < 400 && endpoint.paged ? ['Link'] : []),
    ...(endpoint.scope ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    'X-Request-Id',
  ]
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
}

export function describeApi(origin: string) {
  const components: Components = {}
  schemaOf(ErrorShape, 'output', components)
  const paths = Object.fromEntries(apiPaths.map((each) => [each.path, describePath(each, components)]))
  return {
    openapi: '3.1.0',
    info: {
      title: shopName,
      version: '1.0.0',
      description: `The API of the ${shopName} shop. Money is in US dollars. docs/api.md walks through a whole order.\nA method that a path does not take gets 405 and Allow.`,
      contact: { name: shopName, url: `${origin}/home#contact` },
    },
    servers: [{ url: origin, 'x-internal': false }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries(
      webhookPayloads.map((each) => [each.type, { post: describeWebhook(each, components) }]),
    ),
    components: {
      schemas: components,
      headers,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of PUT /user/{email}' },
        key: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key, which an admin makes at the desk under Integrations. Its scopes are ${scopes.join(', ')}`,
        },
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

function describeWebhook({ type, summary, schema, example }: WebhookPayload, components: Components) {
  const headers = {
    'webhook-id': 'The same at each try: take an id once',
    'webhook-timestamp': 'Seconds since 1970',
    'webhook-signature': 'v1, and an HMAC of id, timestamp and body',
  }
  return {
    operationId: `webhook${type.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    description: 'To the endpoints that have asked for it, signed as standardwebhooks.com describes.',
    tags: ['Webhooks'],
    security: [],
    parameters: Object.entries(headers).map(([name, description]) => ({
      ...{ name, in: 'header', required: true, description },
      schema: { type: 'string', maxLength: 200 },
    })),
    requestBody: { required: true, content: json(schemaOf(schema, 'output', components), example) },
    responses: {
      '2XX': {
        description:
          'Taken. Any other answer, and none within ten seconds, is a failure: it is tried again for three days',
      },
      410: { description: 'Gone: the endpoint is switched off' },
    },
  }
}

function describePath({ path, tag, endpoints }: ApiPath, components: Components) {
  const operations = methods.flatMap((method) => {
    const endpoint = endpoints[method]
    return endpoint ? [[method.toLowerCase(), describe(path, tag, method, endpoint, components)]] : []
  })
  return Object.fromEntries(operations) as Record<string, ReturnType<typeof describe>>
}

function describe(path: string, tag: string, method: Method, endpoint: Endpoint, components: Components) {
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 254 },
    example: endpoint.example?.param,
  }))
  const idempotencyHeader = endpoint.idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: endpoint.idempotent === 'required',
          description: 'Repeating a request with the same key has one effect, and returns the same response',
          schema: { type: 'string', pattern: '^[\\w-]{8,100}$', maxLength: 100 },
        },
      ]
    : []
  const ifMatchHeader = endpoint.ifMatch
    ? [
        {
          ...{ name: 'If-Match', in: 'header', required: false },
          description:
            'The ETag that its GET had: the call is refused if it has changed since. A weak one never matches',
          schema: { type: 'string', maxLength: 1000 },
        },
      ]
    : []
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z]+([a-z])?/gi, (_, letter: string | undefined) => (letter ?? '').toUpperCase())}`,
    summary: endpoint.summary,
    description: accessOf(endpoint),
    tags: [tag],
    security: securityOf(endpoint),
    parameters: [...pathParameters, ...queryParameters(endpoint, components), ...idempotencyHeader, ...ifMatchHeader],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: json(schemaOf(endpoint.body, 'input', components), endpoint.example?.body),
      },
    }),
    responses: {
      200: {
        description: 'Done',
        ...describeHeaders(endpoint, 200),
        content: json(schemaOf(endpoint.output, 'output', components), endpoint.example?.response),
      },
      ...(hasETag(endpoint) && {
        304: { description: 'Not modified: the ETag matches If-None-Match', ...describeHeaders(endpoint, 304) },
      }),
      ...Object.fromEntries(errorStatuses(endpoint).map((status) => [status, errorResponse(endpoint, status)])),
    },
  }
}

function accessOf({ auth, scope }: Endpoint): string {
  return scope ? `${access[auth]} An API key needs the scope ${scope}.` : access[auth]
}

function securityOf({ auth, scope }: Endpoint): Record<string, string[]>[] {
  const byKey = scope ? [{ key: [scope] }] : []
  if (auth === 'anyone') return scope ? [{}, ...byKey] : []
  return [{ bearer: [] }, { session: [] }, ...byKey]
}

function errorStatuses({ auth, scope, body, idempotent, ifMatch, errors = [] }: Endpoint): number[] {
  const statuses = [
    ...(auth === 'anyone' && !scope ? [] : [401, 403]),
    ...(scope ? [429] : []),
    ...(body ? [400, 413, 415] : []),
    ...(idempotent ? [400, 409] : []),
    ...(ifMatch ? [412] : []),
    ...errors,
    422,
    500,
    503,
  ]
  return [...new Set(statuses)].sort((a, b) => a - b)
}

function errorResponse(endpoint: Endpoint, status: number) {
  return {
    description: reasons[status],
    ...describeHeaders(endpoint, status),
    content: json({ $ref: '#/components/schemas/Error' }),
  }
}

function queryParameters({ query }: Endpoint, components: Components) {
  if (!query) return []
  const { properties = {} } = schemaOf(query, 'output', components) as {
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

function json(schema: object, example?: unknown) {
  return { 'application/json': { schema, example } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Components): object {
  const jsonSchema = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: withFormat })
  const { $defs } = jsonSchema
  delete jsonSchema.$defs
  delete jsonSchema.$schema
  Object.assign(components, withComponentRefs($defs ?? {}))
  return withComponentRefs(jsonSchema)
}

function withFormat({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.type === 'integer') jsonSchema.format = 'int32'
}

function withComponentRefs<Schema extends object>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Schema
}
