import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isWhole } from '../../tests/support/depth'
import { webhookSender } from './webhooks.server'

const event = { headers: { 'webhook-id': 'e1' }, body: '{}' }

async function receiver(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('posts to public https addresses only; a shop on this machine also to this machine', async () => {
  const [live, local] = [webhookSender('https://shop.example'), webhookSender('http://127.0.0.1:8788')]
  for (const address of ['https://warehouse.example/hooks?a=1', 'https://WAREHOUSE.example'])
    expect([live.problemOf(address), local.problemOf(address)]).toEqual([null, null])
  for (const address of ['http://127.0.0.1:9/', 'http://localhost:9/']) {
    expect(live.problemOf(address)).toMatch(/^The address must begin with https/)
    expect(local.problemOf(address)).toBeNull()
    expect(await live.send({ ...event, url: address })).toMatchObject({ status: null })
  }
  for (const address of [
    'https://127.0.0.1/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'https://2130706433/',
    'https://me@warehouse.example/',
    'https://:secret@warehouse.example/',
    '',
  ])
    expect([live.problemOf(address), local.problemOf(address)]).not.toContain(null)
  expect(live.problemOf('https://shop.example/order')).toBe('This is the address of the shop itself.')
})

test('says the status, follows no redirect, and keeps the first 200 characters as one line', async () => {
  const { send } = webhookSender('http://127.0.0.1:8788')
  const requests: (string | undefined)[] = []
  const url = await receiver((request, response) => {
    const { 'webhook-id': id, 'content-type': type, 'user-agent': agent } = request.headers
    requests.push(request.method, id as string, type, agent)
    response.writeHead(307, { location: '/elsewhere' }).end(`one\r\n\0two ${'é'.repeat(900)}`)
  })
  const { status, answer } = await send({ ...event, url })
  expect(status).toBe(307)
  expect(answer).toBe(`one two ${'é'.repeat(192)}`)
  expect(requests).toEqual(['POST', 'e1', 'application/json', 'cadenza-webhooks/1.0'])
})

test('reads 800 bytes of an answer, whatever its parts are, and lives with none', async () => {
  const { send } = webhookSender('https://shop.example')
  onTestFinished(() => void vi.unstubAllGlobals())
  const answerOf = async (body: ConstructorParameters<typeof Response>[0]) => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)))
    const { status, answer } = await send({ ...event, url: 'https://warehouse.example/' })
    expect(status).toBe(200)
    return answer
  }
  const bytes = Buffer.from(`é${' '.repeat(790)}one two three`)
  const parts = new ReadableStream({
    start: (to) => {
      for (const part of [bytes.subarray(0, 1), bytes.subarray(1)]) to.enqueue(part)
      to.close()
    },
  })
  expect(await answerOf(parts)).toBe('é one two')
  expect(await answerOf(null)).toBe('')
  expect(await answerOf(new ReadableStream({ start: (to) => to.error(new Error('closed')) }))).toBe('')
})

test('says whether an address was slow or could not be reached', async () => {
  const { send } = webhookSender('https://shop.example')
  onTestFinished(() => void vi.unstubAllGlobals())
  for (const [error, answer] of [
    [new DOMException('', 'TimeoutError'), 'No answer within 10 seconds.'],
    [new TypeError('fetch failed'), 'The address cannot be reached.'],
  ] as const) {
    vi.stubGlobal('fetch', () => Promise.reject(error))
    expect(await send({ ...event, url: 'https://warehouse.example/' })).toMatchObject({ status: null, answer })
  }
})

test.runIf(isWhole)('waits ten seconds at most, also where the answer has begun', async () => {
  const { send } = webhookSender('http://127.0.0.1:8788')
  const silent = await receiver(() => undefined)
  const dripping = await receiver((_request, response) => {
    response.writeHead(200).write('a')
    const drip = setInterval(() => response.write('a'), 100)
    response.on('close', () => clearInterval(drip))
  })
  const [none, late] = await Promise.all([send({ ...event, url: silent }), send({ ...event, url: dripping })])
  expect(none).toMatchObject({ status: null, answer: 'No answer within 10 seconds.' })
  // The status is the answer.
  expect(late.status).toBe(200)
  for (const { durationMs } of [none, late]) expect(durationMs).toBeLessThan(12_000)
})
