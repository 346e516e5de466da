import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { defaultWords, setShopName } from '../shop-name'
import { resendEmail } from './resend.server'

const provider = resendEmail({
  apiUrl: 'https://mail.example',
  apiKey: 're_1',
  from: 'Cadenza <orders@cadenza.example>',
})
const email = { id: 'l1', recipient: 'ada@example.com', subject: 'Hello', text: 'Text', html: '<p>Text</p>' }

afterEach(() => vi.unstubAllGlobals())

function stubFetch(respond: () => Response) {
  const requests: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    requests.push({ url, init })
    return Promise.resolve(respond())
  })
  return requests
}

test('sends an email with its id as the idempotency key, and a timeout', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const requests = stubFetch(() => Response.json({ id: 'x' }))
  await provider.send(email)
  const [{ url, init }] = requests as [(typeof requests)[0]]
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
] as const)('sends reply_to %s as %s', async ([replyTo, reply_to]) => {
  const requests = stubFetch(() => Response.json({ id: 'x' }))
  await provider.send({ ...email, replyTo })
  expect((JSON.parse(requests[0]!.init.body as string) as { reply_to?: string }).reply_to).toBe(reply_to)
})

test.for([
  [200, '{}', null],
  [500, '{}', 'Resend returned 500: {}'],
  [403, '{"name":"invalid_idempotent_request"}', 'Resend returned 403'],
  [409, '{"name":"invalid_idempotent_request"}', null],
  [409, '{"name":"concurrent_idempotent_requests"}', 'Resend returned 409'],
  [409, 'no JSON', 'Resend returned 409'],
] as const)('handles the response %s %s: %s', async ([status, body, error]) => {
  stubFetch(() => new Response(body, { status }))
  if (error) await expect(provider.send(email)).rejects.toThrow(error)
  else await provider.send(email)
})

test.for([
  ['7', 7_000],
  ['0', 1_000],
  [null, 60_000],
  ['soon', 60_000],
  ['86400', 3_600_000],
] as const)('a 429 with retry-after %s is a pause of %d ms', async ([retryAfter, milliseconds]) => {
  stubFetch(
    () => new Response('{}', { status: 429, headers: retryAfter === null ? {} : { 'retry-after': retryAfter } }),
  )
  await expect(provider.send(email)).rejects.toMatchObject({ name: 'EmailPause', milliseconds })
})

test.for([
  [400, true],
  [422, true],
  [500, false],
  [503, false],
] as const)('says of a %s whether the email is refused for good: %s', async ([status, final]) => {
  stubFetch(() => new Response('x'.repeat(1000), { status }))
  const refusal: unknown = await provider.send(email).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ final, message: `Resend returned ${status}: ${'x'.repeat(200)}` })
})

test('takes no answer as a failure that passes', async () => {
  const cause = new TypeError('fetch failed')
  vi.stubGlobal('fetch', () => Promise.reject(cause))
  const refusal: unknown = await provider.send(email).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ final: false, message: 'Resend does not answer', cause })
})

test('sends a link that unsubscribes as a header', async () => {
  const requests = stubFetch(() => Response.json({ id: 'x' }))
  await provider.send({ ...email, unsubscribe: 'https://shop.example/unsubscribe?token=x' })
  expect(JSON.parse(requests[0]!.init.body as string)).toMatchObject({
    headers: {
      'List-Unsubscribe': '<https://shop.example/unsubscribe?token=x>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  })
})

test.for<[string, string]>([
  [' orders@cadenza.example ', 'Cadenza <orders@cadenza.example>'],
  ['  Cadenza   <orders@cadenza.example>  ', 'Cadenza <orders@cadenza.example>'],
  ['<orders@cadenza.example>', 'Cadenza <orders@cadenza.example>'],
  ['Luthier & Sons <orders@luthier.example>', 'Luthier & Sons <orders@luthier.example>'],
])('sends emails of "%s" as %s', async ([configured, from]) => {
  const requests = stubFetch(() => Response.json({ id: 'x' }))
  await resendEmail({ apiUrl: 'https://mail.example', apiKey: 're_1', from: configured }).send(email)
  expect((JSON.parse(requests[0]!.init.body as string) as { from: string }).from).toBe(from)
})

test.for<[string, string]>([
  ['Klang 2', 'Klang 2'],
  ['Bows, Inc', '"Bows, Inc"'],
  ['"Bows', '"\\"Bows"'],
  ['Bows!', '"Bows!"'],
])('sends emails of the shop %s as from %s', async ([name, quoted]) => {
  setShopName({ ...defaultWords, name })
  onTestFinished(() => setShopName(defaultWords))
  const requests = stubFetch(() => Response.json({ id: 'x' }))
  await provider.send(email)
  expect((JSON.parse(requests[0]!.init.body as string) as { from: string }).from).toBe(
    `${quoted} <orders@cadenza.example>`,
  )
})

test('sends no more emails a second than the account may', async () => {
  stubFetch(() => Response.json({ id: 'x' }))
  const paced = resendEmail({ apiUrl: 'https://mail.example', apiKey: 're_1', from: 'a@b.example', perSecond: 20 })
  const startedAt = performance.now()
  for (let nth = 0; nth < 4; nth++) await paced.send(email)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(140)
})
