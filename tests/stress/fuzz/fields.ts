import type { Campaign } from './campaign'
import type { Target } from './targets'
import { brokenBodies, queries, words, type Value } from './values'

export interface FuzzCase {
  name: string
  /** Cases in one group run one after the other. */
  group: string
  run: (campaign: Campaign) => Promise<void>
}

export function bodyCases(target: Target, values: Value[]): FuzzCase[] {
  return target.fields.body.flatMap((field) =>
    values.map((value) => ({
      name: `${target.name} ${field} = ${value.name}`,
      group: target.name,
      run: (campaign: Campaign) => write(campaign, target, { [field]: value.json }, `${field} = ${value.name}`),
    })),
  )
}

export function mixedCases(target: Target, values: Value[]): FuzzCase[] {
  const { body: fields } = target.fields
  if (fields.length < 2) return []
  return values.map((value, index) => {
    const others = [values[(index * 7 + 1) % values.length]!, values[(index * 13 + 5) % values.length]!]
    const wrong = Object.fromEntries(
      [value, ...others].map(({ json }, turn) => [fields[(index + turn * 2) % fields.length]!, json]),
    )
    const name = Object.keys(wrong).join(' and ')
    return {
      name: `${target.name} ${name}`,
      group: target.name,
      run: (campaign: Campaign) => write(campaign, target, wrong, `${name}: ${value.name}`),
    }
  })
}

export function brokenCases(target: Target): FuzzCase[] {
  if (!target.body) return []
  return brokenBodies(JSON.stringify(target.body)).map(({ name: kind, body, headers }) => {
    const name = `${target.name} body: ${kind}`
    return {
      name,
      group: target.name,
      async run(campaign: Campaign) {
        await target.before?.()
        await campaign.ask(target.browser, name, {
          ...requestOf(target),
          body,
          headers: { ...jsonOf(target), ...headers },
        })
      },
    }
  })
}

export function addressCases(target: Target): FuzzCase[] {
  const plain = requestOf(target)
  const inPath = target.path.includes('{')
    ? words.map((word) => target.path.replace(/\{\w+\}/, () => word).replace(/^(.*)\/$/, '$1'))
    : []
  const inQuery = target.fields.query.flatMap((field) => [
    ...words.map((word) => `${plain.path}?${field}=${word}`),
    ...queries(field).map((query) => `${plain.path}?${query}`),
  ])
  const beside = queries('x').map((query) => `${plain.path}?${query}`)
  return [...inPath, ...inQuery, ...beside].map((path) => {
    const name = `${target.method} ${path}`
    const body = target.body && JSON.stringify(target.body)
    return {
      name,
      group: target.name,
      async run(campaign: Campaign) {
        await target.before?.()
        await campaign.ask(target.browser, name, { method: target.method, path, body, headers: jsonOf(target) })
      },
    }
  })
}

const headerValues = [
  ...['', ' ', 'x', '"', '""', ',,,,', '*', 'null', '\u00e9', '%', '%00', '{}', '\u00ff\u00fe', 'x'.repeat(15_000)],
  ...[
    'Bearer',
    'Bearer ',
    'Bearer x y',
    'bearer\tx',
    'BEARER cdz_x',
    'Basic dXNlcjpwYXNz',
    'Bearer ../../x',
    'Bearer null',
  ],
  ...['a;q=9e999', 'text/html;q=NaN', 'text/html;q=', ';q=1', 'text/html,'.repeat(1_000), 'text/html;q=1e-9,*/*'],
  ...[
    'session=',
    'session=%',
    'session=bm9wZQ==',
    'session=;session=x',
    '__proto__=x; constructor=y',
    'session='.repeat(500),
  ],
  ...['application/json', 'application/json;charset=utf-7', 'application/jsonp', 'multipart/form-data', 'bytes=0-'],
  ...['00000000', '-'.repeat(100), 'a'.repeat(101), '__proto__', 'W/"x"', '"x", "y"', 'http://elsewhere.example'],
]
const headerNames = [
  ...['authorization', 'cookie', 'accept', 'content-type', 'idempotency-key', 'if-none-match', 'origin', 'range'],
  ...['sec-fetch-site', 'x-http-method-override', 'x-forwarded-host', 'cf-ray', 'accept-language'],
]

export function headerCases(target: Target): FuzzCase[] {
  return headerNames.flatMap((header) =>
    headerValues.map((value) => {
      const name = `${target.name} ${header}: ${value.slice(0, 40)}`
      return {
        name,
        group: target.name,
        async run(campaign: Campaign) {
          await target.before?.()
          const body = target.body && JSON.stringify(target.body)
          const headers = { ...jsonOf(target), [header]: value }
          await campaign.ask(target.browser, name, { ...requestOf(target), body, headers })
        },
      }
    }),
  )
}

/** An accepted body must read back as sent, apart from outer white space. */
async function write(campaign: Campaign, target: Target, wrong: Record<string, string | undefined>, what: string) {
  await target.before?.()
  const right = Object.fromEntries(
    Object.entries(target.body ?? {}).map(([name, value]) => [name, JSON.stringify(value)]),
  )
  const fields = Object.entries({ ...right, ...wrong }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const body = `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`
  const name = `${target.name} ${what}`
  const response = await campaign.ask(target.browser, name, { ...requestOf(target), body, headers: jsonOf(target) })
  if (response?.status !== 200 || !target.readBack) return
  const sentFields = JSON.parse(body) as Record<string, unknown>
  const { insertedId } = JSON.parse(response.text) as { insertedId: string }
  const read = await target.readBack(insertedId)
  campaign.readBacks += 1
  for (const field of new Set([...Object.keys(target.body ?? {}), ...Object.keys(sentFields)])) {
    // The value of a missing field is defined for optional fields only.
    if (!(field in sentFields ? field in read : mayBeLeftOut.includes(field))) continue
    const [expected, actual] = [normalize(sentFields[field]), normalize(read[field])]
    if (expected !== actual)
      campaign.fault(name, `${field} was written ${JSON.stringify(expected)}, and reads ${JSON.stringify(actual)}`)
  }
}

const mayBeLeftOut = ['description', 'family', 'image', 'address', 'phone']

function normalize(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n').trim()
  return value === undefined || value === null ? '' : value === 0 ? 0 : value
}

function jsonOf(target: Target): Record<string, string> {
  const type: Record<string, string> = target.body ? { 'content-type': 'application/json' } : {}
  return { accept: 'application/json', ...type, ...target.headers }
}

function requestOf({ method, path, id = '' }: Target) {
  return { method, path: path.replace(/\{\w+\}/, encodeURIComponent(id)) }
}
