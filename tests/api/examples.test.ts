import { Program } from '../support/api-client'
import { confirm } from '../support/card-form'
import { schemaFaults } from '../support/contract'
import { expect, test } from '../support/shop'

/** In an order in which each call finds what its example names. */
const calls = [
  'PUT /user/{email}',
  'GET /user',
  'PUT /user/admin/{email}',
  'DELETE /user/admin/{email}',
  'GET /admin/{email}',
  'PUT /update/{email}',
  'POST /instruments',
  'GET /instruments',
  'GET /instruments/{id}',
  'PUT /instruments/{id}/stock',
  'POST /instruments/{id}/stock',
  'POST /instrument-changes',
  'POST /reviews',
  'GET /reviews',
  'POST /order',
  'DELETE /order/{id}',
  'POST /order',
  'GET /order',
  'POST /create-payment-intent',
  'PATCH /order/{id}',
  'POST /order/{id}/shipment',
  'POST /order/{id}/refunds',
  'GET /order/{id}',
  'GET /order-changes',
  'DELETE /instruments/{id}',
  'POST /webhook-endpoints',
  'POST /webhook-endpoints/{id}/test',
  'GET /webhook-endpoints',
  'DELETE /webhook-endpoints/{id}',
]
const byAdmin = [
  'GET /user',
  'PUT /user/admin/{email}',
  'DELETE /user/admin/{email}',
  'POST /instruments',
  'PUT /instruments/{id}/stock',
  'POST /instruments/{id}/stock',
  'POST /instrument-changes',
  'GET /order',
  'POST /order/{id}/shipment',
  'POST /order/{id}/refunds',
  'GET /order-changes',
  'DELETE /instruments/{id}',
  'POST /webhook-endpoints',
  'POST /webhook-endpoints/{id}/test',
  'GET /webhook-endpoints',
  'DELETE /webhook-endpoints/{id}',
]

interface Content {
  content: { 'application/json': { schema: object; example: Record<string, unknown> } }
}
interface Call {
  parameters: { in: string; example?: string }[]
  requestBody?: Content
  responses: { 200: Content }
}

test('every example of the API document works', async ({ shop }) => {
  const ada = await shop.customer({ name: 'Ada Lovelace', email: 'ada@example.com' })
  await shop.customer({ name: 'Grace Hopper', email: 'grace@example.com' })
  await shop.sells({ id: 'violin-4-4', name: 'Concert Violin 4/4', price: 1_450_00, minimum: 2, stock: 36 })
  const customer = new Program(await shop.signedIn(ada), null)
  const admin = new Program(await shop.signedIn(await shop.admin()), null)
  const { paths } = await (
    await shop.visitor().fetch('/openapi.json')
  ).json<{
    paths: Record<string, Record<string, Call>>
  }>()
  const described = Object.entries(paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual([...new Set(calls)].sort())

  /** From the ids in the examples to those that the shop has made. */
  const made = new Map<string, string>()
  const withMadeIds = (text: string) => [...made].reduce((text, [id, actual]) => text.replaceAll(id, actual), text)
  for (const name of calls) {
    const [method = '', path = ''] = name.split(' ')
    const { parameters, requestBody, responses } = paths[path]![method.toLowerCase()]!
    const { example, schema } = responses[200].content['application/json']
    expect(schemaFaults(`${name} 200`, schema, example), name).toBeNull()
    const url = path.replace(/\{\w+\}/, () => parameters.find((each) => each.in === 'path')!.example!)
    const body = requestBody && withMadeIds(JSON.stringify(requestBody.content['application/json'].example))
    const program = byAdmin.includes(name) ? admin : customer
    // Every response is checked against its schema: see checkContract.
    const response = await program.call(method, withMadeIds(url), body, {
      ...{ origin: shop.deps.origin, 'idempotency-key': crypto.randomUUID() },
    })
    expect(response.status, `${name}: ${JSON.stringify(response.body)}`).toBe(200)
    if (typeof response.body.clientSecret === 'string') await confirm(shop, response.body.clientSecret)
    if (method === 'POST' && !path.endsWith('/test')) made.set(idIn(example), idIn(response.body))
  }
})

function idIn({ insertedId, clientSecret }: Record<string, unknown>): string {
  return typeof insertedId === 'string' ? insertedId : String(clientSecret).split('_secret_')[0]!
}
