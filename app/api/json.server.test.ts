import { expect, test } from 'vitest'
import { z } from 'zod'
import { readJson, readQuery } from './json.server'

const schema = z.strictObject({
  name: z.string({ error: 'Name is Required' }),
  deep: z.object({ price: z.number({ error: 'Price is Required' }) }).optional(),
})

function post(body: BodyInit, type = 'application/json') {
  return new Request('https://shop.example/', { method: 'POST', body, headers: { 'content-type': type } })
}

const refusal = (body: BodyInit, type?: string) => readJson(post(body, type), schema).catch((error: unknown) => error)

test.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])(
  'reads JSON of the type %s',
  async (type) => {
    expect(await readJson(post('{"name":"Zoë 🎻"}', type), schema)).toEqual({ name: 'Zoë 🎻' })
  },
)

test.each([
  'text/plain',
  'application/json; charset=latin1',
  'application/json; charset=utf-8x',
  'application/jsonx',
  'x-application/json',
])('refuses the type %s', async (type) => {
  expect(await refusal('{"name":"Zoë"}', type)).toMatchObject({
    status: 415,
    code: 'wrong-type',
    message: 'Send the body as application/json.',
  })
})

test('refuses a body without a content type', async () => {
  const untyped = new Request('https://shop.example/', { method: 'POST', body: new Uint8Array([123, 125]) })
  await expect(readJson(untyped, schema)).rejects.toMatchObject({ status: 415 })
})

test('refuses a body of more than 65536 bytes', async () => {
  const filled = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`
  expect((await readJson(post(filled(65536)), schema)).name).toHaveLength(65525)
  expect(await refusal(filled(65537))).toMatchObject({
    status: 413,
    code: 'too-large',
    message: 'The body must be at most 65536 bytes.',
  })
})

test('reports an aborted body as malformed', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  const request = new Request('https://shop.example/', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
    duplex: 'half',
  } as RequestInit)
  await expect(readJson(request, schema)).rejects.toMatchObject({
    status: 400,
    code: 'malformed',
    message: 'The body arrived incomplete.',
  })
})

test.each([
  ['', 'The body is not JSON.'],
  ['{"name":', 'The body is not JSON.'],
  [new Uint8Array([0x22, 0xff, 0x22]), 'The body is not JSON.'],
  ['{"name":"\\ud83c"}', 'The body contains invalid Unicode.'],
  ['{"name":"\\uDF3B x"}', 'The body contains invalid Unicode.'],
  ['{"name":"a", "\\ud83c": 1}', 'The body contains invalid Unicode.'],
])('refuses a malformed body (%#)', async (body, message) => {
  expect(await refusal(body as BodyInit)).toMatchObject({ status: 400, code: 'malformed', message })
})

test('accepts surrogate pairs that are written as escapes', async () => {
  expect(await readJson(post('{"name":"\\ud83c\\udfbb \\\\ud83c \\"\\n"}'), schema)).toEqual({
    name: '🎻 \\ud83c "\n',
  })
})

test.each([
  ['{"name":"a","name":"b"}', 'name'],
  ['{"name":"a","n\\u0061me":"b"}', 'name'],
  ['{"name":"a","deep":{"price":1,"price":2}}', 'price'],
  ['{"name":"a","deep":{"price":1},"name":"b"}', 'name'],
  ['{"name":[{"x":1},[2]],"name":"b"}', 'name'],
  ['[{"x":{"y":1}},{"z":[{"a":1,"a":2}]}]', 'a'],
  [`{"${'x'.repeat(200)}":1,"${'x'.repeat(200)}":2}`, 'x'.repeat(100)],
])('refuses a duplicate key (%#)', async (body, name) => {
  expect(await refusal(body)).toMatchObject({ code: 'invalid', fields: { [name]: ['Name each field once'] } })
})

test('accepts the same key in two objects, in a list and as a value', async () => {
  const any = z.unknown()
  const body = '{"a":{"a":"a","b":["a","a",{"a":1},{"a":2}]},"b":{"a":":"},"c":"a\\",\\"a"}'
  expect(await readJson(post(body), any)).toEqual(JSON.parse(body))
})

test('reports validation errors by field', async () => {
  expect(await refusal('{"deep":{"price":"x"},"a":1,"b":2}')).toMatchObject({
    code: 'invalid',
    message: 'Some fields are not valid.',
    fields: {
      name: ['Name is Required'],
      'deep.price': ['Price is Required'],
      a: ['Unknown field'],
      b: ['Unknown field'],
    },
  })
  const whole = (await refusal('[]')) as { message: string; fields: object }
  expect(whole.message).toMatch(/expected object/)
  expect(whole.fields).toEqual({})
  const wild = Object.fromEntries(Array.from({ length: 30 }, (_, nth) => [String(nth).repeat(60), 1]))
  const { fields } = (await refusal(JSON.stringify({ name: 'a', ...wild }))) as { fields: object }
  expect(Object.keys(fields)).toHaveLength(20)
  expect(Math.max(...Object.keys(fields).map(({ length }) => length))).toBe(100)
})

test('accepts field names like __proto__ in error messages', async () => {
  const error = (await refusal('{"name":"a","__proto__":1,"constructor":1}')) as { fields: object }
  expect(Object.keys(error.fields)).toContain('constructor')
})

test('reads a query, and refuses a field that occurs twice', () => {
  const query = z.strictObject({ q: z.string().optional() })
  const read = (search: string) => readQuery(new Request(`https://shop.example/${search}`), query)
  expect(read('?q=a%20b')).toEqual({ q: 'a b' })
  expect(read('')).toEqual({})
  const message = (search: string) => {
    try {
      return read(search)
    } catch (error) {
      return (error as { fields: unknown }).fields
    }
  }
  expect(message('?q=a&q=b')).toEqual({ q: ['Name each field once'] })
  expect(message('?x=a')).toEqual({ x: ['Unknown field'] })
  const long = 'x'.repeat(101)
  expect(message(`?${long}=a&${long}=b`)).toEqual({ ['x'.repeat(100)]: ['Name each field once'] })
})
