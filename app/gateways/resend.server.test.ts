import { afterEach, expect, test, vi } from 'vitest'
import { resendEmail } from './resend.server'

const mail = resendEmail({ apiUrl: 'https://mail.example', apiKey: 're_1', from: 'Cadenza <orders@cadenza.example>' })
const letter = { id: 'l1', recipient: 'ada@example.com', subject: 'Hello', text: 'Text', html: '<p>Text</p>' }

afterEach(() => vi.unstubAllGlobals())

/** The next letter is answered so. */
function answering(answer: () => Response) {
  const asked: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push({ url, init })
    return Promise.resolve(answer())
  })
  return asked
}

test('a letter goes out as it is, under its id, and is not waited for without end', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const asked = answering(() => Response.json({ id: 'x' }))
  await mail.send(letter)
  const [{ url, init }] = asked as [(typeof asked)[0]]
  expect([url, init.method]).toEqual(['https://mail.example/emails', 'POST'])
  expect(init.headers).toMatchObject({
    authorization: 'Bearer re_1',
    'content-type': 'application/json',
    'idempotency-key': 'l1',
    'user-agent': expect.stringMatching(/^cadenza\//) as string,
  })
  expect(JSON.parse(init.body as string)).toMatchObject({
    from: 'Cadenza <orders@cadenza.example>',
    to: ['ada@example.com'],
    subject: 'Hello',
    text: 'Text',
    html: '<p>Text</p>',
  })
  expect(timeout).toHaveBeenCalledWith(10_000)
  expect(init.signal).toBe(timeout.mock.results[0]!.value)
})

test.for([
  ['jo@shop.com', 'jo@shop.com'],
  [null, undefined],
] as const)('a letter whose answers go to %s is answered at %s', async ([replyTo, reply_to]) => {
  const asked = answering(() => Response.json({ id: 'x' }))
  await mail.send({ ...letter, replyTo })
  expect((JSON.parse(asked[0]!.init.body as string) as { reply_to?: string }).reply_to).toBe(reply_to)
})

test.for([
  [200, '{}', null],
  [500, '{}', 'The mail provider answered 500: {}'],
  [403, '{"name":"invalid_idempotent_request"}', 'The mail provider answered 403'],
  [409, '{"name":"invalid_idempotent_request"}', null],
  [409, '{"name":"concurrent_idempotent_requests"}', 'The mail provider answered 409'],
  [409, 'no JSON', 'The mail provider answered 409'],
] as const)('the answer %s %s makes the letter %s', async ([status, body, error]) => {
  answering(() => new Response(body, { status }))
  if (error) await expect(mail.send(letter)).rejects.toThrow(error)
  else await mail.send(letter)
})
