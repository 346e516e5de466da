import sharp from 'sharp'
import { findInstrument } from '../../app/store/catalog/instruments.server'
import { maxPictureBytes } from '../../app/store/shared/limits'
import { programOf } from '../support/api-client'
import { expect, test, type Shop } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

const product = { name: 'Viola', price: '900', minQuantity: '1', availableQuantity: '4' }
const [oboe, flute, lute] = ['/plates/oboe.svg', '/plates/flute-c.svg', '/plates/mandolin-a.svg'] as const

const photo = (colour: string) =>
  sharp({ create: { width: 90, height: 60, channels: 3, background: colour } })
    .png()
    .toBuffer()

/** The form as it stands on the page, with files. */
function filled({ page }: PageResponse, files: [field: string, name: string, content: Buffer][], more: object = {}) {
  const form = new FormData()
  const fields = page.querySelector('form.product-form')!.querySelectorAll('input, textarea, select')
  for (const field of fields) {
    const name = field.getAttribute('name')
    if (!name || ['file', 'checkbox'].includes(field.getAttribute('type') ?? '')) continue
    const option = field.querySelector('option[selected]')
    form.append(name, (option ?? field).getAttribute('value') ?? '')
  }
  for (const [name, value] of Object.entries(more)) form.set(name, value as string)
  for (const [field, name, content] of files) form.append(field, new File([content as BlobPart], name))
  return form
}

const shownTo = async (shop: Shop) =>
  (await shop.visitor().get('/catalog/viola')).page
    .querySelectorAll('.gallery li img')
    .map((img) => [img.getAttribute('src'), img.getAttribute('alt')])

async function aViola(shop: Shop, pictures?: unknown[]) {
  const program = await programOf(shop, await shop.admin())
  const body = { ...product, price: 900, minQuantity: 1, availableQuantity: 4, img: oboe, pictures }
  const { insertedId } = (await program.call<{ insertedId: string }>('POST', '/instruments', body)).body
  return { id: insertedId, path: `/dashboard/manageProduct/${insertedId}`, program }
}

test.beforeEach(({ shop }) => shop.deletePictures())

test('takes several files at once, the first as the picture of the lists, and shows all to everybody', async ({
  shop,
}) => {
  const admin = await shop.signedIn(await shop.admin())
  const form = await admin.get('/dashboard/addProduct')
  const files: [string, string, Buffer][] = [
    ['pictures', 'front.png', await photo('#864')],
    ['pictures', 'back.png', await photo('#468')],
  ]
  const added = await admin.post(
    '/dashboard/addProduct',
    filled(form, files, { ...product, pictureNewAlt2: 'The back' }),
  )
  expect(added.text).toContain('New Product added!')
  // Each in its sizes, in two formats.
  expect(await shop.storedPictures()).toHaveLength(4)
  const shown = await shownTo(shop)
  expect(shown).toEqual([
    [expect.stringMatching(/^\/pictures\/.*-90x60\/90\.webp$/), 'Viola'],
    [expect.stringMatching(/^\/pictures\//), 'The back'],
  ])
  const visitor = shop.visitor()
  const { page } = await visitor.get('/catalog/viola')
  expect(page.querySelectorAll('.gallery li a').map((link) => link.getAttribute('href'))).toEqual(
    shown.map(([src]) => src),
  )
  expect(page.querySelectorAll('.gallery li img').map((img) => img.getAttribute('loading') ?? 'eager')).toEqual([
    'eager',
    'lazy',
  ])
  expect(page.querySelectorAll('.gallery nav a').map((link) => link.getAttribute('href'))).toEqual([
    '#picture-1',
    '#picture-2',
  ])
  const urls = shown.map(([src]) => `${visitor.origin}${src}`)
  const [data] = JSON.parse(page.querySelector('script[type="application/ld+json"]')!.textContent) as object[]
  expect(data).toMatchObject({ image: urls })
  const feed = (await visitor.get('/merchant.xml')).html
  expect(feed).toContain(`<g:image_link>${urls[0]}</g:image_link><g:additional_image_link>${urls[1]}<`)
  expect(await (await visitor.fetch('/instruments')).json()).toMatchObject([
    { img: shown[0]![0], pictures: shown.map(([img, alt]) => ({ img, alt })) },
  ])
})

test('moves, describes, deletes and adds pictures in one Save, and the audit log says so', async ({ shop }) => {
  const { id, path } = await aViola(shop, [{ img: oboe }, flute, { img: lute, alt: 'A lute' }])
  const admin = await shop.signedIn(await shop.admin())
  expect(await shownTo(shop)).toEqual([
    [oboe, 'Viola'],
    [flute, 'Viola, picture 2'],
    [lute, 'A lute'],
  ])
  const moved = await admin.press(await admin.get(path), 'Save', { picturePlace3: '1', pictureAlt1: 'An oboe' })
  expect(moved.text).toContain('Product updated.')
  expect(await shownTo(shop)).toEqual([
    [lute, 'A lute'],
    [oboe, 'An oboe'],
    [flute, 'Viola, picture 3'],
  ])
  const file: [string, string, Buffer] = ['pictures', 'new.png', await photo('#111')]
  await admin.post(path, filled(await admin.get(path), [file], { pictureDelete1: 'on', pictureNewAlt1: 'New' }))
  expect(await shownTo(shop)).toEqual([
    [oboe, 'An oboe'],
    [flute, 'Viola, picture 2'],
    [expect.stringMatching(/^\/pictures\//), 'New'],
  ])
  expect((await shop.auditLogOf(id)).slice(1).map(({ note }) => note)).toEqual([
    'picture; alt text; further pictures changed',
    'picture; alt text; further pictures changed',
  ])
  const none = await admin.press(await admin.get(path), 'Save', {
    ...{ pictureDelete1: 'on', pictureDelete2: 'on', pictureDelete3: 'on' },
  })
  expect([none.status, none.page.querySelector('#img-error')?.text]).toEqual([422, 'Leave at least one picture'])
  // A single file replaces the first, and its words stay.
  const first: [string, string, Buffer] = ['picture', 'first.png', await photo('#fff')]
  await admin.post(path, filled(await admin.get(path), [first], { pictureDelete2: 'on', pictureDelete3: 'on' }))
  expect(await shownTo(shop)).toEqual([[expect.stringMatching(/^\/pictures\//), 'An oboe']])
  expect((await shop.visitor().get('/catalog/viola')).page.querySelector('.gallery nav')).toBeNull()
})

test('copies the pictures of a product that is duplicated', async ({ shop }) => {
  const { id } = await aViola(shop, [{ img: oboe, alt: 'An oboe' }, flute])
  const admin = await shop.signedIn(await shop.admin())
  const form = await admin.get(`/dashboard/addProduct?from=${id}`)
  await admin.press(form, 'Add Product', { name: 'Viola copy' })
  const { page } = await shop.visitor().get('/catalog/viola-copy')
  expect(page.querySelectorAll('.gallery li img').map((img) => img.getAttribute('alt'))).toEqual([
    'An oboe',
    'Viola copy, picture 2',
  ])
})

test('refuses one bad file among good ones by its name, and more than eight pictures, and changes nothing', async ({
  shop,
}) => {
  const { id, path } = await aViola(shop, [oboe, flute])
  const admin = await shop.signedIn(await shop.admin())
  const before = await findInstrument(shop.deps, id)
  const form = await admin.get(path)
  const good = await photo('#864')
  const cases: [why: string, files: [string, string, Buffer][], message: string][] = [
    [
      'a script among pictures',
      [
        ['pictures', 'good.png', good],
        ['pictures', '<b>bad.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
      ],
      '<b>bad.svg: The picture must be a JPEG, PNG, WebP or AVIF file.',
    ],
    [
      'one that is too heavy',
      [
        ['pictures', 'good.png', good],
        ['pictures', 'big.png', Buffer.concat([good, Buffer.alloc(maxPictureBytes)])],
      ],
      'big.png: The file is larger than 10 MB.',
    ],
    [
      'too many',
      Array.from({ length: 7 }, (_, nth): [string, string, Buffer] => ['pictures', `${nth}.png`, good]),
      'There can be at most 8 pictures: choose 6 at most',
    ],
  ]
  for (const [why, files, message] of cases) {
    const refused = await admin.post(path, filled(form, files, { brand: 'Kept' }))
    expect([why, refused.status, refused.page.querySelector('#pictures-error')?.text]).toEqual([why, 422, message])
    expect(refused.page.querySelector('[name=brand]')?.getAttribute('value')).toBe('Kept')
    expect(refused.page.querySelectorAll('.picture-row')).toHaveLength(2)
  }
  for (const [field, value, error] of [
    ['pictureAddress2', 'javascript:alert(1)', 'Image must start with https:// or /'],
    ['pictureAlt1', 'x'.repeat(201), 'Alt text must be at most 200 characters'],
    ['picturePlace2', 'first', 'Choose a place'],
  ] as const) {
    const refused = await admin.post(path, filled(form, [], { [field]: value }))
    expect([field, refused.status, refused.text.includes(error)]).toEqual([field, 422, true])
  }
  expect(await findInstrument(shop.deps, id)).toEqual(before)
})
