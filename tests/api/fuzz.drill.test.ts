import fc from 'fast-check'
import { methods } from '../../app/api/endpoint.server'
import { apiPaths } from '../../app/api/endpoints/index.server'
import { rateLimits, webhookEndpoints } from '../../app/db/schema'
import { cleanText } from '../../app/store/shared/clean-text.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { programOf } from '../support/api-client'
import { digest } from '../support/authorization-matrix'
import { paths } from '../support/pages'
import { expect, orderInput, test, type Shop } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'

/** Each run takes a part of the cases, chosen by FUZZ_SEED; `npm run check -- fuzz` runs all of them, and then random ones. */
const seed = Number(process.env.FUZZ_SEED ?? 1)
const seconds = Number(process.env.FUZZ_SECONDS ?? 10)
/** Runs only the cases with this in their name. */
const only = process.env.FUZZ_ONLY ?? ''
const rounds = Number(process.env.FUZZ_ROUNDS ?? 0)
const timeout = (seconds + 120) * 1000

interface Case {
  name: string
  path: string
  method: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** A call with a request that is right. */
interface Target extends Case {
  body?: string
  query: string[]
}

/** As JSON. */
const values: string[] = [
  ...['null', '[]', '{}', 'true', '""', '[[]]', '["x"]', '[null]', '{"x":{}}', '{"__proto__":{"polluted":true}}'],
  ...['0', '-0', '-1', '1', '2', '1.0', '1e2', '0.1', '0.005', '1.005', '8.2', '999999.99', '1000000', '1000001'],
  ...['1e308', '1e309', '-1e309', '1e-320', '9007199254740993', '9223372036854775808', '2147483648'],
  ...['NaN', 'Infinity', '0x10', '01', '+1', "'x'", 'undefined', '"\\x"', '"\n"', '"\\ud800"', '"a\\udfffb"'],
  ...['{"toString":null,"valueOf":null,"toJSON":null}', '{"length":1e9}', '['.repeat(50_000)],
  ...['['.repeat(30_000) + ']'.repeat(30_000), `[${'0,'.repeat(30_000)}0]`],
  ...[
    ...['NaN', '1e3', ' 1', '-1', '１２３', '٣', '1_000', '1,5', '$1', 'true', '__proto__', 'constructor', 'then'],
    ...['\0', 'a\0b', 'a\u0001\u001b[31m\u007fb', 'a\r\nSet-Cookie: session=x\r\n\r\nb', '\r\na\rb\nc\r\n'],
    ...[
      'a\u2028b\u2029c\u0085d',
      '\u202egnirts\u202c',
      ' \t\u00a0\u3000\ufeff ',
      '\ufffe\uffff\ufdd0',
      'é e\u0301 ﬁ İ',
    ],
    ...['𝒱𝒾ℴ𝓁𝒾𝓃 👩‍👩‍👧‍👦 𐀀', `Z${'\u0300'.repeat(900)}`, 'x'.repeat(60_000), 'x'.repeat(1_000_000), ' '.repeat(60_000)],
    ...[
      `${'a'.repeat(50_000)}@`,
      'x'.repeat(119),
      '🎻'.repeat(61),
      "' OR 1=1 --",
      "'; DROP TABLE orders; --",
      '%',
      '\\',
    ],
    ...[
      '<script>alert(1)</script>',
      '&lt;b&gt; &amp;',
      '{{7*7}}',
      '${7*7}',
      '$(id)',
      '../../etc/passwd',
      '//x.example',
    ],
    ...['javascript:alert(1)', 'https://[::1', 'data:text/html,x', 'a@b.co', 'A@B.CO', '+44 (0)7700 900123'],
  ].map((text) => JSON.stringify(text)),
]

/** URL-encoded, whether or not it can be decoded. */
const words = [
  ...['', '%', '%E0%A4%A', '%c0%af', '%ff', '%00', 'a%00b', '%0d%0aSet-Cookie:%20session=x', '%ed%a0%80', '%2e%2e'],
  ...['..%2f..%2fuser', 'a%2Fb', '%252f', '%5c', ';x=1', 'x.data', '_root.data', '*', 'null', '-1', '0.1', '1e308'],
  ...['9223372036854775808', '%D9%A3', '__proto__', 'constructor', '%5B%5D', '%22%22', "'%20OR%201=1%20--", '%25'],
  ...['%3Cscript%3E', '%E2%80%AEgnirts', `Z${'%CC%80'.repeat(900)}`, 'a@b.co', '%20a@b.co%20', 'x'.repeat(15_000)],
]
const queries = (name: string) => [
  ...words.map((word) => `${name}=${word}`),
  ...[`${name}=1&${name}=1`, `${name}[]=1`, `${name}[a]=1`, '__proto__=1', name, `=${name}`, '&&&', '_routes=root'],
  Array.from({ length: 3_000 }, (_, index) => `k${index}=1`).join('&'),
]
const headerValues = [
  ...[
    '',
    ' ',
    '"',
    ',,,,',
    '*',
    'null',
    '\u00e9',
    '%00',
    '{}',
    'x'.repeat(15_000),
    'Bearer',
    'Bearer x y',
    'Bearer null',
  ],
  ...[
    'a;q=9e999',
    'text/html;q=',
    'text/html,'.repeat(1_000),
    'session=%',
    'session=;session=x',
    'session='.repeat(500),
  ],
  ...['application/json;charset=utf-7', 'multipart/form-data', 'bytes=0-', 'W/"x"', 'http://elsewhere.example'],
]
const headerNames = [
  ...['authorization', 'cookie', 'accept', 'content-type', 'idempotency-key', 'if-none-match', 'origin', 'range'],
  ...['sec-fetch-site', 'x-http-method-override', 'x-forwarded-host', 'cf-ray', 'accept-language'],
]

function brokenBodies(right: string): (string | Uint8Array)[] {
  const [bytes, inside] = [new TextEncoder().encode(right), right.slice(1, -1)]
  return [
    ...['', 'null', '[]', '{}', '"x"', '1', '{', '[', '"', ',', '\0', '\ufeff', right.slice(0, -1), right + right],
    ...[`[${right}]`, `\ufeff${right}`, `{${inside},"more":1}`, `{${inside},"__proto__":{"polluted":true}}`],
    ...[
      `{${inside},"role":"admin","_id":"x","paid":true}`,
      `{${inside},${inside}}`,
      `{${inside},}`,
      right + ' '.repeat(65_000),
    ],
    ...[
      `{${inside},"x":"${'x'.repeat(1_000_000)}"}`,
      '['.repeat(100_000),
      new Uint8Array(Buffer.from(right, 'utf16le')),
    ],
    new Uint8Array([...bytes.slice(0, -2), 0xff, 0xc0, 0xed, 0xa0, 0x80, ...bytes.slice(-2)]),
  ]
}

/** Every call, with the request of the example in the API document. */
async function makeTargets(shop: Shop): Promise<Target[]> {
  const ada = await shop.customer({ name: 'Ada Lovelace', email: 'ada@example.com' })
  await shop.sells({ id: 'violin-4-4', name: 'Concert Violin 4/4', price: 1_450_00, minimum: 2, stock: 1_000_000 })
  const { id } = await placeOrder(shop.deps, ada, orderInput('violin-4-4'))
  const [admin, customer] = [await programOf(shop, await shop.admin()), await programOf(shop, ada)]
  const document = await (
    await shop.visitor().fetch('/openapi.json')
  ).json<{
    paths: Record<string, Record<string, { requestBody?: { content: { 'application/json': { example: object } } } }>>
  }>()
  return apiPaths.flatMap(({ path, endpoints }) =>
    Object.entries(endpoints).map(([method, call]) => {
      const example = document.paths[path]![method.toLowerCase()]!.requestBody?.content['application/json'].example
      const who = call.auth === 'admin' ? admin : customer
      return {
        ...{ name: `${method} ${path}`, method, query: Object.keys(call.query?.def.shape ?? {}) },
        path: path.replace('{email}', ada.email).replace(/\{id\}/, path.startsWith('/order') ? id : 'violin-4-4'),
        headers: {
          ...{ accept: 'application/json', authorization: `Bearer ${who.token}` },
          ...(call.idempotent === 'required' && { 'idempotency-key': crypto.randomUUID() }),
          ...(example && { 'content-type': 'application/json' }),
        },
        ...(example && { body: JSON.stringify(example) }),
      }
    }),
  )
}

const short = (text: string | Uint8Array) => (typeof text === 'string' ? text.slice(0, 60) : 'bytes')

function casesOf(target: Target, some: string[]): Case[] {
  const { name, path, method, body = '{}' } = target
  const [head = '', tail] = path.split(/(?<=\/)[^/]*$/)
  const addresses = [
    ...(name.includes('{') ? words.map((word) => head + word + (tail ?? '')) : []),
    ...[...target.query, 'x'].flatMap((field) => queries(field).map((query) => `${path}?${query}`)),
  ]
  const fields = method === 'GET' ? [] : Object.entries(JSON.parse(body) as object)
  const bodies = fields.flatMap(([field]) => [
    ...some.map((value) => {
      const all = fields.map(
        ([key, right]) => `${JSON.stringify(key)}:${key === field ? value : JSON.stringify(right)}`,
      )
      return `{${all.join()}}`
    }),
    JSON.stringify(Object.fromEntries(fields.filter(([key]) => key !== field))),
  ])
  return [
    ...bodies.map((each) => ({ ...target, name: `${name} ${short(each)}`, body: each })),
    ...(target.body ? brokenBodies(body) : []).map((each) => ({
      ...target,
      name: `${name} ${short(each)}`,
      body: each,
    })),
    ...addresses.map((each) => ({ ...target, name: `${method} ${each}`, path: each })),
    ...headerNames.flatMap((header) =>
      headerValues.map((value) => ({
        ...{ ...target, name: `${name} ${header}: ${short(value)}` },
        headers: { ...target.headers, [header]: value },
      })),
    ),
  ]
}

const types = {
  ...{ json: 'application/json', form: 'application/x-www-form-urlencoded', text: 'text/plain', none: '' },
  ...{ multipart: 'multipart/form-data; boundary=x', utf7: 'application/json;charset=utf-7' },
}
const safe = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'SEARCH']

/** tests/api/wire.test.ts has the verbs that the server refuses before the Worker. */
function verbCases(at: { path: string; headers: Record<string, string> }[], verbs: string[]): Case[] {
  return at.flatMap(({ path, headers }) =>
    verbs.flatMap((method) =>
      Object.entries(types).map(([type, contentType]) => ({
        ...{ name: `${method} ${path} ${type}`, method, path },
        headers: { ...headers, 'content-type': contentType, 'x-http-method-override': 'DELETE' },
        ...(!['GET', 'HEAD'].includes(method) && {
          body: type === 'form' ? '_method=DELETE&description=x' : '{"x":1}',
        }),
      })),
    ),
  )
}

async function run(shop: Shop, browser: TestBrowser, cases: Case[]): Promise<void> {
  const faults: string[] = []
  const until = Date.now() + seconds * 1000
  const [shuffled] = fc.sample(fc.shuffledSubarray(cases, { minLength: cases.length }), { seed, numRuns: 1 })
  const left = shuffled!.filter(({ name }) => name.includes(only))
  const next = async () => {
    for (let each = left.pop(); each && Date.now() < until; each = left.pop()) {
      const { name, path, ...init } = each
      // Node cannot send every header and address.
      if (!URL.canParse(path, shop.deps.origin) || /[^\x20-\xff]/.test(Object.values(init.headers).join(''))) continue
      await shop.deps.db.delete(rateLimits)
      await shop.deps.db.delete(webhookEndpoints)
      // Every response of the API is checked against its schema: see checkContract.
      const response = await browser.fetch(path, init as RequestInit).catch((error: unknown) => String(error))
      if (typeof response === 'string') {
        faults.push(`${name}: ${response}`)
        continue
      }
      const [text, { status, headers }] = [await response.text(), response]
      if (status >= 500) faults.push(`${name}: ${status} ${text.slice(0, 200)}`)
      if (/\n\s+at \S+ \(|SQLITE_|Failed query|node_modules/.test(text)) faults.push(`${name}: tells of the inside`)
      const isOfApi = init.headers.accept === 'application/json'
      if (isOfApi && headers.has('set-cookie')) faults.push(`${name}: sets a cookie`)
      if (isOfApi && status === 405 && !headers.has('allow')) faults.push(`${name}: 405 without Allow`)
    }
  }
  await Promise.all([next(), next(), next(), next()])
  expect(faults).toEqual([])
}

test('survives fuzzed fields, URLs, headers and bodies', { timeout }, async ({ shop }) => {
  const targets = await makeTargets(shop)
  const random = fc.sample(fc.jsonValue({ maxDepth: 3 }), { seed, numRuns: rounds * 60 })
  const some = [...values, ...random.map((value) => JSON.stringify(value))]
  await run(
    shop,
    shop.visitor(),
    targets.flatMap((target) => casesOf(target, some)),
  )
})

test('an instrument reads back as it was written, or is refused', { timeout }, async ({ shop }) => {
  const program = await programOf(shop, await shop.admin())
  const right = {
    name: 'Oboe',
    img: '/plates/oboe.svg',
    description: 'Fine',
    price: 8.2,
    availableQuantity: 3,
    minQuantity: 1,
  }
  // Texts are cleaned (app/store/shared/clean-text.server.ts), and 0 has no sign.
  const plain = (value: unknown) =>
    typeof value === 'string'
      ? cleanText(value).replace(/\r\n?/g, '\n').trim()
      : typeof value === 'number'
        ? value + 0
        : (value ?? '')
  for (const field of Object.keys(right)) {
    for (const value of values.filter((each) => each.length < 1000)) {
      await shop.deps.db.delete(rateLimits)
      const body = JSON.stringify({ ...right, [field]: 'here' }).replace('"here"', () => value)
      const { status, body: made } = await program.call<{ insertedId: string }>('POST', '/instruments', body)
      if (status !== 200) continue
      const read = (await program.call('GET', `/instruments/${made.insertedId}`)).body
      const sent = JSON.parse(body) as Record<string, unknown>
      expect.soft([field, value, plain(read[field])]).toEqual([field, value, plain(sent[field])])
    }
  }
})

test('survives every method and content type, and keeps safe methods without effect', { timeout }, async ({ shop }) => {
  const targets = await makeTargets(shop)
  const admin = await shop.visitor().signIn(await shop.admin())
  // Signing out would end the session that the other cases use.
  const pages = paths
    .filter(({ path, file }) => !file.startsWith('routes/api/') && path !== '/sign-out')
    .map(({ path }) => ({
      path: path.replaceAll(/:\w+\??/g, 'x').replace('*', 'nowhere'),
      headers: { origin: admin.origin },
    }))
  await shop.deps.db.delete(rateLimits)
  const before = await digest(shop)
  await run(shop, shop.visitor(), verbCases(targets, safe))
  expect(await digest(shop)).toEqual(before)
  await run(shop, shop.visitor(), verbCases(targets, [...methods]))
  await run(shop, admin, verbCases(pages, [...safe, ...methods]))
})
