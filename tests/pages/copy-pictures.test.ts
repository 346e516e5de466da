import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'
import { auditLog, instruments } from '../../app/db/schema'
import { isWhole } from '../support/depth'
import { expect, test, type Shop } from '../support/shop'

const path = '/dashboard/manageProduct/pictures'
const MB = 1024 * 1024

/** All hosts of pictures, by name: `/image-hosts/{host}/{path}`. */
type Hosts = Record<string, (response: ServerResponse, path: string) => unknown>

async function aShopWith(shop: Shop, hosts: Hosts) {
  await shop.deletePictures()
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    const [, host = '', rest = ''] = /^\/image-hosts\/([^/]+)(.*)$/.exec(url) ?? []
    asked.push(`${host}${rest}`)
    hosts[host]?.(response, rest)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await shop.configure({ IMAGE_HOSTS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const sells = (id: string, img: string) =>
    shop.sells({ id, name: id }).then(() => shop.deps.db.update(instruments).set({ img }).where(eq(instruments.id, id)))
  const imgOf = async (id: string) =>
    (await shop.deps.db.select().from(instruments).where(eq(instruments.id, id)))[0]!.img
  return { browser: await shop.signedIn(await shop.admin()), asked, sells, imgOf }
}

const picture = (color = '#a9772b') =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: color } })
    .jpeg()
    .toBuffer()

const image = { 'content-type': 'image/jpeg' }

test('copies the pictures of another shop into its own bucket, as uploads are', async ({ shop }) => {
  const jpeg = await picture()
  const { browser, asked, sells, imgOf } = await aShopWith(shop, {
    'old.example': (response) => response.writeHead(200, image).end(jpeg),
  })
  for (const id of ['a', 'b']) await sells(id, 'https://old.example/one.jpg')
  await sells('c', '/plates/oboe.svg')
  const page = await browser.get(path)
  const copied = await browser.press(page, 'Copy the next 2')
  expect(copied.text).toContain('2 copied, 0 not. All have been tried.')
  expect(asked).toEqual(['old.example/one.jpg'])
  const img = await imgOf('a')
  expect(img).toMatch(/^\/pictures\/[\da-f]{32}-400x300\/400\.webp$/)
  expect([await imgOf('b'), await imgOf('c')]).toEqual([img, '/plates/oboe.svg'])
  const served = await shop.visitor().fetch(img)
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await shop.auditLogOf('a')).map(({ note }) => note)).toContain('picture copied')
  expect((await browser.get(path)).text).toContain('All pictures are here.')
  expect((await shop.visitor().get('/catalog/a')).page.querySelector(`img[src^="/pictures/"]`)).not.toBeNull()
})

test('names each picture that cannot be had or is none, keeps its address, and copies the rest', async ({ shop }) => {
  const jpeg = await picture()
  const headers = { 'content-type': 'image/png' }
  const moved = (location: string) => (response: ServerResponse) => response.writeHead(302, { location }).end()
  let drips = 0
  const hosts: Hosts = {
    'good.example': (response) => response.writeHead(200, image).end(jpeg),
    'moved.example': moved('https://good.example/there.jpg'),
    'page.example': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
    'liar.example': (response) => response.writeHead(200, headers).end('<script>alert(1)</script>'),
    'vector.example': (response) =>
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'cut.example': (response) => response.writeHead(200, headers).end(jpeg.subarray(0, 300)),
    'announced.example': (response) =>
      response.writeHead(200, { ...headers, 'content-length': 50 * MB }).write(new Uint8Array(MB)),
    'huge.example': (response) => {
      response.writeHead(200, headers)
      const write = () => {
        while (!response.destroyed && (drips += MB) < 50 * MB && response.write(new Uint8Array(MB)));
      }
      response.on('drain', write)
      write()
    },
    'slow.example': (response) => {
      response.writeHead(200, headers).write(jpeg.subarray(0, 100))
    },
    'silent.example': () => undefined,
    'broken.example': (response) => response.destroy(),
    'gone.example': (response) => response.writeHead(410, image).end(jpeg),
    'inward.example': moved('https://127.0.0.1/picture.jpg'),
    'metadata.example': moved('http://169.254.169.254/latest/meta-data/'),
    'round.example': moved('https://round.example/again.jpg'),
  }
  const { browser, sells, imgOf } = await aShopWith(shop, hosts)
  const inward = 'The address of a picture must begin with https:// and a public host name.'
  const noPicture = 'The address does not answer with a picture.'
  const formats = 'The picture must be a JPEG, PNG, WebP or AVIF file.'
  const large = 'The picture is larger than 10 MB.'
  const slow = 'The picture did not come within eight seconds.'
  const expected = [
    ['page', noPicture],
    ['liar', formats],
    ['vector', formats],
    ['cut', 'This picture could not be read. Save it again as JPEG or PNG, with fewer pixels.'],
    ['announced', large],
    ['huge', large],
    ['slow', slow],
    ['silent', slow],
    ['broken', 'The address of the picture cannot be reached.'],
    ['gone', noPicture],
    ['inward', inward],
    ['metadata', inward],
    ['round', 'The address leads from one to the next more than 3 times.'],
  ] as const
  for (const host of ['good', 'moved', ...expected.map(([host]) => host)])
    await sells(host, `https://${host}.example/a`)
  const private_ = ['https://10.0.0.1/a.jpg', 'https://localhost/a.jpg', 'https://[::1]/a.jpg', 'https://db.internal/a']
  for (const [nth, address] of private_.entries()) await sells(`private${nth}`, address)
  const result = await browser.press(await browser.get(path), 'Copy the next 19')
  expect(result.text).toContain('2 copied, 17 not. All have been tried.')
  const rows = result.page.querySelectorAll('tbody tr').map((row) => {
    const link = row.querySelector('a')!
    return [link.getAttribute('href'), row.querySelector('td')!.text.trim()]
  })
  const all = [...expected, ...private_.map((_, nth) => [`private${nth}`, inward] as const)]
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(all.map(([id, why]) => [`/dashboard/manageProduct/${id}`, why])),
  )
  for (const [id] of expected) expect(await imgOf(id)).toBe(`https://${id}.example/a`)
  for (const id of ['good', 'moved']) expect(await imgOf(id)).toMatch(/^\/pictures\//)
  expect(new Set((await shop.storedPictures()).map((key) => key.split('/')[0])).size).toBe(1)
  expect(drips).toBeLessThan(40 * MB)
  const notes = (await shop.deps.db.select().from(auditLog)).filter(({ note }) => note === 'picture copied')
  expect(notes.map(({ instrumentId }) => instrumentId).sort()).toEqual(['good', 'moved'])
})

test.runIf(isWhole)(
  'copies twenty at a press, says how far it is, and ends with what could not be copied',
  async ({ shop }) => {
    const { browser, asked, sells } = await aShopWith(shop, {
      'old.example': (response, path) =>
        path.endsWith('7.jpg')
          ? response.writeHead(404).end()
          : void picture(`#${path.slice(1, 3)}772b`).then((jpeg) => response.writeHead(200, image).end(jpeg)),
    })
    for (let nth = 10; nth < 33; nth++) await sells(`p${nth}`, `https://old.example/${nth}.jpg`)
    const first = await browser.press(await browser.get(path), 'Copy the next 20')
    expect(first.text).toContain('18 copied, 2 not. 3 to go.')
    const second = await browser.press(first, 'Copy the next 3')
    expect(second.text).toContain('21 copied, 2 not. All have been tried.')
    expect(second.page.querySelectorAll('tbody th').map(({ text }) => text)).toEqual(['p17', 'p27'])
    expect(asked).toHaveLength(23)
    // The same press again finds nothing to do, and tries what failed no more than once.
    const again = await browser.press(first, 'Copy the next 3')
    expect(again.text).toContain('18 copied, 2 not. All have been tried.')
    const stale = await browser.post(path, { failed: '{"x":1}' })
    expect([stale.status, stale.text.includes('This form has expired.')]).toEqual([422, true])
  },
)

test('leads from an import to its pictures', async ({ shop }) => {
  const jpeg = await picture()
  const { browser, imgOf } = await aShopWith(shop, {
    'old.example': (response) => response.writeHead(200, image).end(jpeg),
  })
  const form = new FormData()
  const file = 'Handle,Title,Variant Price,Variant Inventory Qty,Image Src\na,Oboe,50,1,https://old.example/1.jpg\n'
  form.set('file', new File([file], 'products_export.csv'))
  form.set('intent', 'apply')
  const applied = await browser.post('/dashboard/manageProduct/import', form)
  expect([applied.path, applied.text]).toEqual([
    `${path}?begin`,
    expect.stringContaining('Imported from Shopify: 1 new'),
  ])
  await browser.press(applied, 'Copy the next 1')
  const { id } = (await shop.deps.db.select().from(instruments))[0]!
  const img = await imgOf(id)
  expect(img).toMatch(/^\/pictures\//)
  // The same file again adds nothing.
  form.set('file', new File([file], 'products_export.csv'))
  expect((await browser.post('/dashboard/manageProduct/import', form)).text).toContain('1 unchanged')
  expect(await imgOf(id)).toBe(img)
})

test('copies all pictures of a product in their order, with their words, and names each that cannot be had', async ({
  shop,
}) => {
  const serve = (color: string) => async (response: ServerResponse) =>
    response.writeHead(200, image).end(await picture(color))
  const { browser, sells, asked } = await aShopWith(shop, {
    'one.example': serve('#111'),
    'two.example': serve('#222'),
    'three.example': serve('#333'),
    'gone.example': (response) => response.writeHead(404).end(),
  })
  const elsewhere = (host: string, alt = '') => ({ img: `https://${host}.example/a.jpg`, alt })
  await sells('a', elsewhere('one').img)
  await sells('b', '/plates/oboe.svg')
  const { db } = shop.deps
  const inward = { img: 'https://10.0.0.1/a.jpg', alt: '' }
  await db
    .update(instruments)
    .set({ pictures: [elsewhere('two', 'The back'), inward, elsewhere('gone'), elsewhere('three')] })
    .where(eq(instruments.id, 'a'))
  // The same picture as another's.
  const plate = { img: '/plates/lute.svg', alt: '' }
  await db
    .update(instruments)
    .set({ pictures: [elsewhere('one'), plate] })
    .where(eq(instruments.id, 'b'))
  const copied = await browser.press(await browser.get(path), 'Copy the next 6')
  expect(copied.text).toContain('4 copied, 2 not. All have been tried.')
  const rows = copied.page.querySelectorAll('tbody tr').map((row) => row.querySelector('td')!.text.trim())
  expect(rows).toEqual([
    expect.stringContaining('Picture 3: The address of a picture must begin with https://'),
    'Picture 4: The address does not answer with a picture.',
  ])
  const [a, b] = await db.select().from(instruments).orderBy(instruments.id)
  expect(a!.img).toMatch(/^\/pictures\//)
  expect(a!.pictures).toEqual([
    { img: expect.stringMatching(/^\/pictures\//) as string, alt: 'The back' },
    inward,
    elsewhere('gone'),
    { img: expect.stringMatching(/^\/pictures\//) as string, alt: '' },
  ])
  expect([b!.img, b!.pictures]).toEqual(['/plates/oboe.svg', [{ img: a!.img, alt: '' }, plate]])
  expect(new Set([a!.img, ...a!.pictures.map(({ img }) => img)]).size).toBe(5)
  expect(asked.sort()).toEqual(['gone', 'one', 'three', 'two'].map((host) => `${host}.example/a.jpg`))
  expect((await shop.auditLogOf('a')).map(({ note }) => note)).toContain('3 pictures copied')
})

test.runIf(isWhole)('takes whole products of at most twenty pictures at a press', async ({ shop }) => {
  const { browser, sells } = await aShopWith(shop, {
    'old.example': async (response, path) => response.writeHead(200, image).end(await picture(`#${path.slice(1, 4)}`)),
  })
  const address = (nth: number) => `https://old.example/${100 + nth}.jpg`
  for (let product = 0; product < 3; product++) {
    const [first, ...others] = Array.from({ length: 8 }, (_, place) => address(product * 8 + place))
    await sells(`p${product}`, first!)
    const pictures = others.map((img) => ({ img, alt: '' }))
    await shop.deps.db
      .update(instruments)
      .set({ pictures })
      .where(eq(instruments.id, `p${product}`))
  }
  const first = await browser.press(await browser.get(path), 'Copy the next 20')
  expect(first.text).toContain('16 copied, 0 not. 8 to go.')
  const second = await browser.press(first, 'Copy the next 8')
  expect(second.text).toContain('24 copied, 0 not. All have been tried.')
})
