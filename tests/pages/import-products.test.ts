import { sql } from 'drizzle-orm'
import { updateInstrument } from '../../app/store/catalog/manage-instruments.server'
import { findInstrument } from '../../app/store/catalog/instruments.server'
import type { TestBrowser } from '../support/test-browser'
import { expect, test, type Shop } from '../support/shop'

const exportPath = '/dashboard/manageProduct.csv'
const importPath = '/dashboard/manageProduct/import'
const head = 'id,version,name,family,brand,img,description,price,minQuantity,availableQuantity,stockChange,reason'
const writtenHead = `${head},specification,alt,pictures,salePrice,saleFrom,saleUntil,level,ages`.replaceAll(
  /\w+/g,
  '"$&"',
)

async function admin(shop: Shop) {
  return shop.signedIn(await shop.admin())
}

/** `fetch` and its text, because a browser saves the file. */
async function exported(browser: TestBrowser): Promise<string> {
  return (await browser.fetch(exportPath)).text()
}

function send(browser: TestBrowser, intent: 'check' | 'apply', content: BlobPart) {
  const form = new FormData()
  form.set('file', new File([content], 'products.csv'))
  form.set('intent', intent)
  return browser.post(importPath, form)
}

const rebec = ',,Rebec,strings,,/r.svg,"Old, ""good""",12.50,2,5,,'

test('exports all products on sale as a file that changes nothing when it comes back', async ({ shop }) => {
  await shop.sells({ id: 'viol', name: 'Viol', price: 1_450_00, stock: 10 })
  const odd = {
    name: "'=1+1",
    description: 'Two;＝1\nlines, "quoted"',
    brand: '@SUM(A1)',
    img: '/v.svg',
    minQuantity: 1,
  }
  const lute = await shop.sells({ id: 'lute' })
  await updateInstrument(shop.deps, { id: 'test' }, lute, { ...odd, price: 1, stockChange: 0, stockNote: null })
  const browser = await admin(shop)
  expect((await browser.get('/dashboard/manageProduct')).page.querySelector(`a[href="${exportPath}"]`)?.text).toBe(
    'Export CSV',
  )
  const response = await browser.fetch(exportPath)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="products.csv"',
    'cache-control': 'private, no-store',
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(
    `\uFEFF${writtenHead}\r
"viol","1","Viol","","","/plates/violin-4-4.svg","","1450.00","1","10","","","","","","","","","",""\r
"lute","2","''=1+1","","'@SUM(A1)","/v.svg","Two;'＝1\nlines, ""quoted""","0.01","1","100","","","","","","","","","",""\r
`,
  )
  for (const text of [bytes, new TextDecoder().decode(bytes).replaceAll('\r\n', '\n').trimEnd()]) {
    expect((await send(browser, 'check', text)).text).toContain('0 new, 0 changed, 0 stock changes, 2 unchanged')
    expect((await send(browser, 'apply', text)).text).toContain('Nothing was changed.')
  }
  expect(await findInstrument(shop.deps, lute)).toMatchObject({ ...odd, version: 2 })
})

test('checks a file without a change, then applies it once without asking for it again', async ({ shop }) => {
  await shop.sells({ id: 'viol', name: 'Viol', price: 10_00, stock: 10 })
  const browser = await admin(shop)
  const page = await browser.get('/allInstruments')
  expect(page.text).not.toContain('Rebec')
  const viol = 'viol,1,Viol,,,/plates/violin-4-4.svg,,12,1,9,-3,Broken'
  const checked = await send(browser, 'check', `${head}\n${viol}\n${rebec}\n`)
  expect(checked.status).toBe(200)
  for (const text of [
    '1 new, 1 changed, 1 stock change, 0 unchanged',
    'price $10.00 → $12.00; stock -3 (Broken)',
    'new, 5 pieces',
    'In 1 line, availableQuantity is not the stock of the shop.',
  ]) {
    expect(checked.text).toContain(text)
  }
  expect(await shop.stockOf('viol')).toBe(10)
  expect(await shop.auditLogOf('viol')).toHaveLength(1)

  const applied = await browser.press(checked, 'Apply')
  expect([applied.path, applied.text]).toEqual(['/dashboard/manageProduct', expect.stringContaining('Imported: 1 new')])
  expect(await shop.stockOf('viol')).toBe(7)
  const list = await browser.get('/allInstruments')
  expect(list.text).toContain('Rebec')
  const again = await browser.press(checked, 'Apply')
  expect(again.text).toContain('The shop has all of this already. Nothing was changed.')
  expect(await shop.stockOf('viol')).toBe(7)
  expect((await exported(browser)).split('\r\n')).toHaveLength(4)
})

test('names conflicts and problems by line, and applies nothing', async ({ shop }) => {
  await shop.sells({ id: 'viol', name: 'Viol', price: 10_00, stock: 10 })
  const browser = await admin(shop)
  const file = (await exported(browser)).replace('"10.00"', '"11.00"') + `${rebec}\r\n`
  const form = await browser.get('/dashboard/manageProduct/viol')
  await browser.press(form, 'Save', { brand: 'Amati' })
  for (const intent of ['check', 'apply'] as const) {
    const refused = await send(browser, intent, file + rebec.replace('12.50', 'dear'))
    expect(refused.status).toBe(422)
    const rows = refused.page.querySelectorAll('tbody tr').map(({ structuredText }) => structuredText)
    expect(rows).toEqual([
      'Line 2\nversion\nChanged in the shop since the export (version 2 now). Export it again.',
      'Line 4\nprice\nPrice must be a number, like 1200.50',
    ])
  }
  expect(await findInstrument(shop.deps, 'viol')).toMatchObject({ priceCents: 10_00, brand: 'Amati' })
  expect(await exported(browser)).not.toContain('Rebec')
})

test('stores nothing of a file that it cannot read, and says why', async ({ shop }) => {
  const browser = await admin(shop)
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])
  const files: [BlobPart, number, string][] = [
    [png, 422, 'This is not a CSV file in UTF-8. In a spreadsheet, save it as "CSV UTF-8".'],
    ['', 422, 'Choose a file'],
    ['x'.repeat(10_000_000), 413, 'The file is larger than 4 MB.'],
    ['x'.repeat(4.5 * 1024 * 1024), 413, 'The file is larger than 4 MB.'],
    [`${head}\n,,Re\0bec`, 422, 'This is not a CSV file.'],
    [','.repeat(100_000), 422, 'This line has more than 400 columns.'],
    [`${head}\n${','.repeat(100_000)}`, 422, 'This line has more than 400 columns.'],
    [`${head}\n,,"Rebec,\n`, 422, 'A quoted text does not end.'],
    [`${head},12`, 422, 'Unknown: 12.'],
    [head.replace('price,', ''), 422, 'Missing: price.'],
    [`${head},price`, 422, 'There twice: price.'],
    [`${head}\n${rebec},,1`, 422, 'This line has 14 values, and the first line has 12 columns.'],
    [`${head}\n${rebec.replace('Rebec', '')}\n`.padEnd(head.length + 2, ' '), 422, 'Name is Required'],
    [`${head}\n${`${rebec}\n`.repeat(5001)}`, 422, 'A file may have at most 5,000 products.'],
    [`${head}\n${rebec}\n${rebec}\n`, 422, 'Line 2 adds the same product.'],
  ]
  for (const [content, status, message] of files) {
    for (const intent of ['check', 'apply'] as const) {
      const refused = await send(browser, intent, content)
      expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(message)])
    }
  }
  expect(await exported(browser)).toBe(`${writtenHead}\r\n`)
})

test('links the parts of an export that one import would refuse', async ({ shop }) => {
  const browser = await admin(shop)
  const list = '/dashboard/manageProduct'
  await shop.sells({ id: 'viol' })
  expect((await browser.get(list)).text).not.toContain('export in parts')
  expect((await browser.get(importPath)).text).not.toContain('Export in parts')
  await shop.deps.db.run(sql`
    WITH RECURSIVE rows(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < 5000)
    INSERT INTO instruments (id, name, img, price_cents, min_quantity, slug, listed_at)
    SELECT 'i' || n, 'Violin no. ' || n, '/v.svg', 100, 1, 'violin-' || n, n FROM rows`)
  expect((await send(browser, 'check', await exported(browser))).text).toContain('at most 5,000 products')
  const parts = (await browser.get(list)).page.querySelectorAll('a').find(({ text }) => text === 'export in parts')
  const page = await browser.get(parts!.getAttribute('href')!)
  const links = page.page.querySelectorAll('#parts a')
  expect(links.map(({ text }) => text)).toEqual(['Products 1 to 5,000', 'Products 5,001 to 5,001'])
  for (const [index, link] of links.entries()) {
    const response = await browser.fetch(link.getAttribute('href')!)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="products-${index + 1}.csv"`)
    const checked = await send(browser, 'check', await response.text())
    expect(checked.text).toContain(`0 new, 0 changed, 0 stock changes, ${[5000, 1][index]} unchanged`)
  }
  for (const query of ['part=x', 'part=1&through=', 'part=1&after=-1'])
    expect([query, (await browser.fetch(`${exportPath}?${query}`)).status]).toEqual([query, 404])
})
