import { instruments } from '../../app/db/schema'
import { findInstrument } from '../../app/store/catalog/instruments.server'
import { addInstrument, updateInstrument } from '../../app/store/catalog/manage-instruments.server'
import { expect, test, type Shop } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

const product = { name: 'Viola', img: '/plates/oboe.svg', price: '1450', availableQuantity: '9', minQuantity: '2' }
const html = '<b>"Maple" & spruce</b>'

const rowsOf = ({ page }: PageResponse) =>
  page
    .querySelectorAll('[aria-labelledby=specification] tr')
    .map((row) => [row.querySelector('th')!.textContent, row.querySelector('td')!.textContent])
const fieldsOf = ({ page }: PageResponse) =>
  page.querySelectorAll('input[name=attributeName]').map((field) => field.getAttribute('value') ?? '')
const errorsOf = ({ page }: PageResponse) =>
  page.querySelectorAll('.field .error').map((error) => [error.id, error.textContent])

async function aViola(shop: Shop, attributes: [string, string][]): Promise<string> {
  const input = { ...product, price: 1_450_00, availableQuantity: 9, minQuantity: 2, attributes }
  return (await addInstrument(shop.deps, 'test', { ...input, id: 'viola' })).id
}

test('takes a specification in the product form, shows it to everybody, and logs each change', async ({ shop }) => {
  const admin = await shop.signedIn(await shop.admin())
  const form = await admin.get('/dashboard/addProduct')
  expect(fieldsOf(form)).toEqual([''])
  const typed = { attributeName1: ' Body ', attributeValue1: html }
  const more = await admin.press(form, 'Add a row', { ...product, ...typed })
  expect([more.status, fieldsOf(more)]).toEqual([200, [' Body ', '']])
  expect(more.page.querySelector('input[name=name]')!.getAttribute('value')).toBe('Viola')
  const last = await admin.press(more, 'Add a row')
  expect(fieldsOf(last)).toEqual([' Body ', '', ''])
  const added = await admin.press(last, 'Add Product', { attributeName3: 'Key', attributeValue3: 'C' })
  expect(added.text).toContain('New Product added!')

  const visitor = shop.visitor()
  const shown = [
    ['Body', html],
    ['Key', 'C'],
  ]
  const page = await visitor.get('/catalog/viola')
  expect(rowsOf(page)).toEqual(shown)
  const [data] = JSON.parse(page.page.querySelector('script[type="application/ld+json"]')!.textContent) as object[]
  expect(data).toMatchObject({ additionalProperty: shown.map(([name, value]) => ({ name, value })) })
  const text = await (await visitor.fetch('/catalog/viola', { headers: { accept: 'text/plain' } })).text()
  expect(text).toMatch(/## Specification\n+Body +<b>"Maple" & spruce<\/b>\s+Key +C/)
  expect((await visitor.get('/merchant.xml')).html).toContain(
    '<g:product_detail><g:attribute_name>Key</g:attribute_name><g:attribute_value>C</g:attribute_value></g:product_detail>',
  )

  const [{ id }] = (await shop.deps.db.select({ id: instruments.id }).from(instruments)) as [{ id: string }]
  const path = `/dashboard/manageProduct/${id}`
  const edit = await admin.get(path)
  expect(fieldsOf(edit)).toEqual(['Body', 'Key', ''])
  const changed = { attributeName1: '', attributeValue1: '', attributeValue2: 'D', attributeName3: 'Bow' }
  await admin.press(edit, 'Save', { ...changed, attributeValue3: 'None' })
  expect(rowsOf(await visitor.get('/catalog/viola'))).toEqual([
    ['Key', 'D'],
    ['Bow', 'None'],
  ])
  await admin.press(await admin.get(path), 'Save', {
    attributeName1: 'Bow',
    attributeValue1: 'None',
    attributeName2: 'Key',
    attributeValue2: 'D',
  })
  expect((await shop.auditLogOf(id)).slice(1).map(({ note }) => note)).toEqual([
    'specification Key C → D, + Bow: None, − Body',
    'specification order',
  ])
  expect((await admin.press(edit, 'Save', { attributeValue2: 'E' })).status).toBe(409)
})

test('leaves out the specification of an instrument without one', async ({ shop }) => {
  const id = await shop.sells({ name: 'Oboe' })
  const page = await shop.visitor().get('/catalog/oboe')
  expect(page.text).not.toContain('Specification')
  expect(page.html).not.toContain('additionalProperty')
  expect(await (await shop.visitor().fetch(`/instruments/${id}`)).json()).not.toHaveProperty('attributes')
})

test('stores nothing of a wrong specification, and names the fields', async ({ shop }) => {
  await aViola(shop, [['Body', 'Maple']])
  const admin = await shop.signedIn(await shop.admin())
  const form = await admin.get('/dashboard/manageProduct/viola')
  const values = Object.fromEntries(
    form.page.querySelectorAll('input, textarea, select').flatMap((field) => {
      const name = field.getAttribute('name')
      return name && !name.startsWith('attribute') && name !== 'picture'
        ? [[name, field.getAttribute('value') ?? '']]
        : []
    }),
  ) as Record<string, string>
  const save = (pairs: [string, string][]) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(values)) body.set(name, value)
    for (const [name, value] of pairs) {
      body.append('attributeName', name)
      body.append('attributeValue', value)
    }
    return admin.post('/dashboard/manageProduct/viola', body)
  }
  const many = Array.from({ length: 21 }, (_, nth): [string, string] => [`Name ${nth}`, 'x'])
  const wrong: [pairs: [string, string][], errors: string[][]][] = [
    [many, [['attributeName21-error', 'There can be at most 20 lines in a specification']]],
    [
      [
        ['Body', 'Maple'],
        ['', ''],
        ['body', 'Spruce'],
      ],
      [['attributeName3-error', 'body is there twice']],
    ],
    [[['', 'Maple']], [['attributeName1-error', 'Enter a name, or remove the value']]],
    [[['Body', ' ']], [['attributeValue1-error', 'Enter a value, or remove the name']]],
    [[['Body', 'x'.repeat(5000)]], [['attributeValue1-error', 'Value must be at most 200 characters']]],
    [[['x'.repeat(41), 'x']], [['attributeName1-error', 'Name must be at most 40 characters']]],
    [[['Bo\u0000dy', 'x']], [['attributeName1-error', 'Name contains characters that are not allowed']]],
  ]
  for (const [pairs, errors] of wrong) {
    const refused = await save(pairs)
    expect([refused.status, errorsOf(refused)]).toEqual([422, errors])
    expect(fieldsOf(refused).slice(0, pairs.length)).toEqual(pairs.map(([name]) => name.trim()))
  }
  expect((await save(Array.from({ length: 1000 }, (_, nth): [string, string] => [`${nth}`, 'x']))).status).toBe(400)
  expect(await findInstrument(shop.deps, 'viola')).toMatchObject({ attributes: [['Body', 'Maple']], version: 1 })
  expect((await save(many.slice(1))).text).toContain('Product updated.')
  const full = await admin.get('/dashboard/manageProduct/viola')
  expect([fieldsOf(full).length, full.text.includes('Add a row')]).toEqual([20, false])
})

test('finds an instrument by its specification, after the name and before a description', async ({ shop }) => {
  const add = (name: string, more: object) =>
    addInstrument(shop.deps, 'test', { ...product, name, price: 1_00, availableQuantity: 9, minQuantity: 1, ...more })
  await add('Oboe', { description: 'Made of grenadilla.' })
  const { id } = await add('Piccolo', { attributes: [['Body', 'Grenadilla']] })
  await add('Grenadilla Clarinet', {})
  const found = async (query: string) =>
    (await shop.visitor().get(`/allInstruments?${query}`)).page
      .querySelectorAll('tbody th a')
      .map((link) => link.textContent)
  expect(await found('q=grenadilla')).toEqual(['Grenadilla Clarinet', 'Piccolo', 'Oboe'])
  expect(await found('q=grenad')).toEqual(['Grenadilla Clarinet', 'Piccolo', 'Oboe'])
  expect(await found('q=grenadilla&sort=name')).toEqual(['Grenadilla Clarinet', 'Oboe', 'Piccolo'])
  expect(await found('q=body+grenadilla')).toEqual(['Piccolo'])
  const without = {
    ...product,
    name: 'Piccolo',
    price: 1_00,
    minQuantity: 1,
    stockChange: 0,
    stockNote: null,
    attributes: [],
  }
  await updateInstrument(shop.deps, await shop.admin(), id, without)
  expect(await found('q=grenadilla')).toEqual(['Grenadilla Clarinet', 'Oboe'])
})
