import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { desc } from 'drizzle-orm'
import { auditLog, instruments } from '../../app/db/schema'
import { parseCsv } from '../../app/http/csv/csv.server'
import { addReview } from '../../app/store/reviews/reviews.server'
import { aPaidOrder } from '../support/payments'
import { sendLogo } from '../support/send-logo'
import { expect, test } from '../support/shop'

/** The files of an archive by its directory; checks each sum. */
function unzip(bytes: Buffer): Record<string, Buffer> {
  const files: Record<string, Buffer> = {}
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [sum, size, length] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 24), bytes.readUInt16LE(at + 28)]
    const start = bytes.readUInt32LE(at + 42)
    const name = bytes.subarray(at + 46, at + 46 + length).toString()
    const begin = start + 30 + bytes.readUInt16LE(start + 26)
    files[name] = bytes.subarray(begin, begin + size)
    expect([name, crc32(files[name])]).toEqual([name, sum])
    at += 46 + length
  }
  return files
}

const rowsOf = (file: Buffer | undefined) => [...parseCsv(file!.toString().replace('\uFEFF', ''), ',')].slice(1)

test('exports the whole shop as one archive, for admins alone, and records who took it', async ({ shop }) => {
  const order = await aPaidOrder(shop, { stock: 3 })
  await addReview(shop.deps, order.customer, { description: 'Fine, "really".' })
  const admin = await shop.admin()
  const browser = await shop.signedIn(admin)
  const response = await browser.fetch('/dashboard/export.zip')
  expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
    200,
    'application/zip',
    'private, no-store',
  ])
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  expect(Object.keys(files)).toEqual([
    ...['products.csv', 'all-products.csv', 'orders.csv', 'customers.csv', 'reviews.csv', 'pages.csv'],
  ])
  expect(rowsOf(files['products.csv'])).toHaveLength(1)
  expect(rowsOf(files['orders.csv'])).toHaveLength(1)
  expect(rowsOf(files['customers.csv'])).toHaveLength(2)
  expect(rowsOf(files['reviews.csv'])[0]).toContain('Fine, "really".')
  expect(files['customers.csv']!.toString()).not.toMatch(/scrypt|hash|password/i)
  const [newest] = await shop.deps.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  expect([newest!.event, newest!.actor]).toEqual(['shop exported', admin.id])

  const customer = await shop.signedIn(order.customer)
  expect((await customer.fetch('/dashboard/export.zip')).headers.get('location')).toBe('/login')
  expect((await shop.visitor().fetch('/dashboard/export.zip')).headers.get('location')).toMatch(/^\/login\?/)
})

test('has the logo and all uploaded pictures in the archive, each once', async ({ shop }) => {
  await shop.changesSettings()
  await shop.deletePictures()
  const browser = await shop.signedIn(await shop.admin())
  await sendLogo(browser, new Blob([readFileSync('build/client/touch-icon.png')]), 'logo.png')
  const img = (await shop.visitor().get('/')).page.querySelector('.brand img')!.getAttribute('src')!
  await shop.sells({ id: 'oboe', name: 'Oboe' })
  await shop.sells({ id: 'lute', name: 'Lute' })
  const pictures = [{ img, alt: 'The back' }]
  await shop.deps.db.update(instruments).set({ pictures })
  const namesOf = async () => {
    const files = unzip(Buffer.from(await (await browser.fetch('/dashboard/export.zip')).arrayBuffer()))
    return Object.entries(files).flatMap(([name, { length }]) => (name.endsWith('.csv') ? [] : [[name, length > 100]]))
  }
  const largest = img.slice(1).replace(/\d+\.webp$/, '180.webp')
  expect(await namesOf()).toEqual([
    ['logo.webp', true],
    [largest, true],
  ])
})
