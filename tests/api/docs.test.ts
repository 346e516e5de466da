import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { apiPaths } from '../../app/api/endpoints/index.server'
import { describeApi } from '../../app/api/openapi.server'
import { webhookPayloads } from '../../app/store/integrations/webhook-events.server'
import { methods } from '../../app/api/endpoint.server'
import { grantAdmin } from '../../app/store/accounts/users.server'
import { webhookTypes } from '../../app/store/integrations/webhook-types'
import { expect, test } from '../support/shop'

const run = promisify(execFile)

function commandsOf(markdown: string): string {
  return [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n')
}

test('runs the commands of docs/api.md from sign-in to a paid order, which a key ships', async ({ shop }) => {
  const violin = await shop.sells({
    id: 'violin-4-4',
    name: 'Concert Violin 4/4',
    price: 1_450_00,
    minimum: 2,
    stock: 36,
  })
  const ada = await shop.customer({ email: 'ada@example.com' })
  const shopkeeper = await shop.customer({ email: 'admin@example.com' })
  await grantAdmin(shop.deps, 'test', shopkeeper.email)
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-api-'))
  const { origin } = shop.visitor()
  await shop.visitor().get('/healthz')
  const script = commandsOf(readFileSync('docs/api.md', 'utf8'))
    .replace('http://127.0.0.1:8788', origin)
    .replace('http://127.0.0.1:8789', shop.sandbox.url)
    .replaceAll('password=practice', `password=${encodeURIComponent(ada.password)}`)
    .replaceAll('curl ', 'curl --silent --show-error --fail-with-body ')
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder })
  const last = stdout.slice(stdout.lastIndexOf('{"_id"'))
  expect(JSON.parse(last)).toMatchObject({ paid: true, transactionId: expect.stringMatching(/^pi_/) as string })
  expect(await shop.piecesIn(violin, 'shipped')).toBe(2)
  rmSync(folder, { recursive: true })
})

test('describes every specified call', () => {
  const described = Object.entries(describeApi('https://cadenza.example').paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(
    [
      'PUT /user/{email}',
      'GET /instruments',
      'POST /instruments',
      'GET /instruments/{id}',
      'DELETE /instruments/{id}',
      'POST /instruments/{id}/stock',
      'PUT /instruments/{id}/stock',
      'POST /instrument-changes',
      'POST /order',
      'GET /order',
      'GET /order/{id}',
      'PATCH /order/{id}',
      'POST /order/{id}/shipment',
      'POST /order/{id}/refunds',
      'GET /order-changes',
      'DELETE /order/{id}',
      'POST /create-payment-intent',
      'GET /admin/{email}',
      'GET /user',
      'PUT /user/admin/{email}',
      'DELETE /user/admin/{email}',
      'GET /reviews',
      'POST /reviews',
      'PUT /update/{email}',
      'GET /webhook-endpoints',
      'POST /webhook-endpoints',
      'DELETE /webhook-endpoints/{id}',
      'POST /webhook-endpoints/{id}/test',
    ].sort(),
  )
  expect(apiPaths.flatMap(({ endpoints }) => methods.filter((method) => endpoints[method]))).toHaveLength(
    described.length,
  )
})

const withBody = apiPaths.flatMap(({ path, endpoints }) =>
  methods.flatMap((method) => (endpoints[method]?.body ? [{ path, method, call: endpoints[method] }] : [])),
)

test.each(withBody)('$method $path requires what is described as required', ({ path, method, call }) => {
  const described = describeApi('https://cadenza.example').paths[path]![method.toLowerCase()]!.requestBody!
  const { required = [] } = described.content['application/json'].schema as { required?: string[] }
  const fields = call.example!.body as Record<string, unknown>
  const isNeeded = (name: string) => !call.body!.safeParse({ ...fields, [name]: undefined }).success
  expect(Object.keys(fields).filter(isNeeded).sort()).toEqual([...required].sort())
})

test('describes the payload of each event, with an example that holds to it', () => {
  expect(webhookPayloads.map(({ type }) => type).sort()).toEqual([...webhookTypes, 'webhook.test'].sort())
  for (const { schema, example } of webhookPayloads) expect(schema.parse(example)).toEqual(example)
})
