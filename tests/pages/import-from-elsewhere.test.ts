import { asc } from 'drizzle-orm'
import { auditLog, instruments } from '../../app/db/schema'
import { shopifyFile, woocommerceFile } from '../support/foreign-files'
import { expect, test, type Shop } from '../support/shop'

const path = '/dashboard/manageProduct/import'

async function importer(shop: Shop) {
  const browser = await shop.signedIn(await shop.admin())
  return (text: string, intent: 'check' | 'apply') => {
    const form = new FormData()
    form.set('file', new File([text], 'products_export.csv'))
    form.set('intent', intent)
    return browser.post(path, form)
  }
}

const stored = (shop: Shop) => shop.deps.db.select().from(instruments).orderBy(asc(instruments.listedAt))

test('checks a file of Shopify, and applies what fits of it once', async ({ shop }) => {
  const send = await importer(shop)
  const { text, added, joined, left } = shopifyFile()
  expect(text.trim().split('\n').length).toBeGreaterThan(200)
  const checked = await send(text, 'check')
  expect(checked.text).toContain(
    `Shopify, 200 lines: ${added} new products, 0 that the shop has already, ${joined} lines that belong to others, ${left} left out. Nothing is applied yet.`,
  )
  expect(added + joined + left).toBe(200)
  const rows = checked.page
    .querySelectorAll('table')
    .map((table) => table.querySelectorAll('tbody tr').map((row) => row.text))
  for (const words of [
    'A gift card is no instrument.',
    'It is draft in the other shop.',
    'It is archived in the other shop.',
    'It is not published in the other shop.',
    'No line has the title of this handle.',
    'Name must be at most 120 characters',
  ])
    expect(
      rows[0]!.filter((row) => row.includes(words)),
      words,
    ).not.toEqual([])
  expect(rows[0]).toHaveLength(left)
  for (const words of [
    ...['starts with 0 pieces', 'cut to 2000 characters'],
    'It has no picture: it comes with one that says so.',
    'It comes without its picture https://gone.example/1.jpg: The address does not answer with a picture.',
    'picture javascript:alert(1): The address of a picture must begin with https:// and a public host name.',
  ])
    expect(
      rows[1]!.some((row) => row.includes(words)),
      words,
    ).toBe(true)
  expect(await stored(shop)).toEqual([])

  const applied = await send(text, 'apply')
  expect(applied.text).toContain(
    `Imported from Shopify: ${added} new, 0 changed, 0 stock changes, 0 unchanged; ${left} lines left out.`,
  )
  // What was left out is named after Apply too, which is often pressed without Check.
  expect(applied.page.querySelectorAll('table')[0]!.querySelectorAll('tbody tr')).toHaveLength(left)
  expect(applied.page.querySelector('main a[href$="/pictures?begin"]')).not.toBeNull()
  const list = await stored(shop)
  expect(list).toHaveLength(added)
  expect(list[0]).toMatchObject({
    ...{ name: 'Violin No. 0, 4/4', brand: 'Bow & Reed', family: 'strings', priceCents: 120_50, minQuantity: 1 },
    ...{ img: 'https://pictures.example/0.jpg', availableQuantity: 0 },
    description: 'Warm & even,\nmade of spruce.\n\n- Set up\n- Tuned "well"',
    pictures: [{ img: 'https://pictures.example/0-back.jpg', alt: '' }],
    attributes: [
      ['Size', '4/4'],
      ['Article', 'SKU-0-a'],
    ],
  })
  const named = (name: string) => list.find((each) => each.name === name)!
  expect(named('Violin No. 0, 3/4')).toMatchObject({ priceCents: 99_00, img: 'https://pictures.example/0.jpg' })
  expect(named('Cello Case No. 3, 4/4').family).toBe('cases')
  for (const name of ['No', 'Gone', 'Inward', 'Metadata', 'Program', 'Page'])
    expect(named(`${name} picture`).img).toBe('/art/no-picture.svg')
  expect((await shop.visitor().fetch('/art/no-picture.svg')).headers.get('content-type')).toMatch(/^image\/svg/)
  expect(named('Harp with negative stock').availableQuantity).toBe(0)
  expect(named('Flute with a script').description).toBe('Silver <925> é &unknown;')
  expect(named('Tuba with a novel').description).toMatch(/^Deep and round\. .*…$/)
  const pieces = (await shop.deps.db.select().from(auditLog)).filter(({ event }) => event === 'stock counted')
  expect(pieces).toHaveLength(added)

  const again = await send(text, 'apply')
  expect(again.text).toContain(`0 new, 0 changed, 0 stock changes, ${added} unchanged`)
  expect(await stored(shop)).toHaveLength(added)
})

test('checks a file of WooCommerce, and applies what fits of it', async ({ shop }) => {
  const send = await importer(shop)
  const { text, added, joined, left } = woocommerceFile()
  const checked = await send(text, 'check')
  expect(checked.text).toContain(
    `WooCommerce, 200 lines: ${added} new products, 0 that the shop has already, ${joined} lines that belong to others, ${left} left out.`,
  )
  expect(added + joined + left).toBe(200)
  for (const words of [
    'It cannot be shipped.',
    'It is sold by another shop.',
    'No line has its parent id:9.',
    'It has no variation with a price.',
    'We do not know the type subscription.',
    'The picture is larger than 10 MB.',
    'more than 3 times',
    'Its sale price 60 is left out.',
  ])
    expect(checked.text).toContain(words)
  await send(text, 'apply')
  const list = await stored(shop)
  expect(list).toHaveLength(added)
  expect(list[0]).toMatchObject({
    ...{ name: 'Saxophone No. 0 - Gold', brand: 'Reed', family: 'woodwind', priceCents: 1499_00, availableQuantity: 4 },
    ...{ img: 'https://pictures.example/s0.jpg', description: 'Played by many.\n\nLacquered brass.' },
    attributes: [
      ['Finish', 'Gold'],
      ['Key', 'Eb'],
      ['Article', 'WC-0-Gold'],
    ],
  })
  expect(list.find(({ name }) => name === 'Guitar with a comma')!.priceCents).toBe(75_50)
})

test('keeps the order of up to eight pictures, the one of the variant first, and names those that do not fit', async ({
  shop,
}) => {
  const send = await importer(shop)
  const address = (name: string) => `https://pictures.example/${name}.jpg`
  const shopify = [
    'Handle,Title,Variant Price,Variant Inventory Qty,Image Src,Variant Image',
    `oboe,Oboe,50,1,${address('0')},${address('own')}`,
    ...Array.from({ length: 8 }, (_, nth) => `oboe,,,,${address(String(nth + 1))},`),
    'oboe,,,,http://pictures.example/plain.jpg,',
  ].join('\n')
  expect((await send(shopify, 'check')).text).toContain('3 further pictures are left out.')
  await send(shopify, 'apply')
  const woo = `Type,Name,Published,Regular price,Stock,Images\nsimple,Lute,1,9,1,"${address('a')}, ${address('b')}, ${address('a')}"`
  await send(woo, 'apply')
  const kept = (await stored(shop)).map(({ name, img, pictures }) => [name, img, ...pictures.map(({ img }) => img)])
  expect(kept.sort()).toEqual([
    ['Lute', address('a'), address('b')],
    ['Oboe', address('own'), ...Array.from({ length: 7 }, (_, nth) => address(String(nth)))],
  ])
})

test('waits three seconds for a slow picture, and brings its product without it', async ({ shop }) => {
  const send = await importer(shop)
  const checked = await send(
    'Handle,Title,Variant Price,Variant Inventory Qty,Image Src\na,Slow Oboe,50,1,https://silent.example/1.png\nb,Oboe,50,1,https://pictures.example/1.png\n',
    'check',
  )
  expect(checked.text).toContain('2 new products')
  expect(checked.text).toContain('The picture did not come within three seconds.')
})

test('names a compare-at price that is above the price, and the products without a family', async ({ shop }) => {
  const send = await importer(shop)
  const lines = [
    'Handle,Title,Type,Variant Price,Variant Compare At Price',
    'a,Lamp,Light,80,100',
    'b,Viola,Violas,"80,00","80,00"',
    'c,Stand,Furniture,80,',
  ]
  const checked = await send(lines.join('\n'), 'check')
  expect(checked.text.match(/compare-at price \S+/g)).toEqual(['compare-at price 100'])
  expect(checked.text).toContain('2 without a family: Lamp, Stand. ')
  expect((await send(lines.join('\n'), 'apply')).text).toContain('0 lines left out. 2 have no family.')
  expect((await stored(shop)).map(({ priceCents, saleCents }) => [priceCents, saleCents])).toEqual(
    Array.from({ length: 3 }, () => [80_00, null]),
  )
})

test('reads a file that WooCommerce has exported in German', async ({ shop }) => {
  const send = await importer(shop)
  const file = [
    'ID,Typ,Artikelnummer,Name,Veröffentlicht,Kurzbeschreibung,Beschreibung,Lager,Angebotspreis,"Regulärer Preis",Kategorien,Schlagwörter,Bilder,"Übergeordnetes Produkt",Marken,"Attribut 1 Name","Attribut 1 Wert(e)"',
    '1,variable,SAX,Saxophon,1,Kurz,<b>Messing</b>,,,,"Woodwind > Saxophones",,https://pictures.example/s.jpg,,Reed,Farbe,"Gold, Silber"',
    '2,variation,SAX-G,"Saxophon - Gold",1,,,4,,"1.499,00",,,,SAX,,Farbe,Gold',
    '3,simple,H,Entwurf,0,,,1,,10,,,https://pictures.example/s.jpg,,,,',
    '4,simple,L,Laute,1,Kurz,,2,"80,00","99,90",Strings,,https://pictures.example/l.jpg,,,,',
  ].join('\n')
  const checked = await send(file, 'check')
  expect(checked.text).toContain('WooCommerce, 4 lines: 2 new products')
  expect(checked.text).toContain('It is not published in the other shop.')
  expect(checked.text).toContain('Its sale price 80,00 is left out.')
  await send(file, 'apply')
  expect(await stored(shop)).toMatchObject([
    {
      ...{ name: 'Saxophon - Gold', priceCents: 1499_00, availableQuantity: 4, family: 'woodwind', brand: 'Reed' },
      ...{ description: 'Messing', img: 'https://pictures.example/s.jpg' },
      attributes: [
        ['Farbe', 'Gold'],
        ['Article', 'SAX-G'],
      ],
    },
    { name: 'Laute', priceCents: 99_90, availableQuantity: 2, family: 'strings', description: 'Kurz' },
  ])
})

test('names what is wrong with a file of elsewhere that cannot be read, and stores nothing', async ({ shop }) => {
  const send = await importer(shop)
  for (const [text, words] of [
    ['Handle,Title,Variant Price\n"a', 'A quoted text does not end.'],
    ['Handle,Title\na,b\n', 'The first line must have the columns'],
    [
      `ID,Tipo,SKU,Nombre,Publicado,${Array.from({ length: 20 }, (_, nth) => `Columna ${nth}`).join()}\n`,
      'exported in English or German.',
    ],
    [`Handle,Title,Variant Price\n${'a,b,1\n'.repeat(5001)}`, 'A file may have at most 5,000 products.'],
  ] as const) {
    const refused = await send(text, 'apply')
    expect([refused.status, refused.text.includes(words)]).toEqual([422, true])
  }
  expect(await stored(shop)).toEqual([])
})

test('names what a second file would change, and changes it by choice, without scripts', async ({ shop }) => {
  const browser = await shop.signedIn(await shop.admin())
  const send = await importer(shop)
  const file = (price: number, pieces: number, ...more: string[]) =>
    [
      'Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty,Variant Barcode',
      `a,Oud,O-1,${price},${pieces},40063813`,
      ...more,
    ].join('\n')
  await send(file(50, 3), 'apply')
  const friday = file(45, 2, 'b,Viol,V-1,9,1,')
  const checked = await send(friday, 'check')
  expect(checked.text).toContain('1 new products, 0 that the shop has already')
  expect(checked.text).toContain('0 left out, 1 with news of products here. Nothing is applied yet.')
  expect(checked.text).toContain('These columns do not come along: Variant Barcode (1 value).')
  expect(checked.text).toMatch(/Line 2\s*Oud\s*handle\s*price \$50.00 → \$45.00; stock 3 → 2/)
  const state = async () =>
    (await stored(shop)).map(({ name, priceCents, availableQuantity }) => [name, priceCents, availableQuantity])
  const left = await browser.press(checked, 'Apply')
  expect(left.text).toContain('Imported from Shopify: 1 new, 0 changed')
  expect(await state()).toEqual([
    ['Oud', 50_00, 3],
    ['Viol', 9_00, 1],
  ])
  const chosen = await browser.press(left, 'Apply', { known: 'change' })
  expect(chosen.text).toContain('Imported from Shopify: 0 new, 1 changed, 1 stock change, 1 unchanged')
  expect(await state()).toEqual([
    ['Oud', 45_00, 2],
    ['Viol', 9_00, 1],
  ])
  expect((await browser.press(left, 'Apply', { known: 'change' })).text).toContain(
    '0 changed, 0 stock changes, 2 unchanged',
  )
  expect(await state()).toEqual([
    ['Oud', 45_00, 2],
    ['Viol', 9_00, 1],
  ])
})
