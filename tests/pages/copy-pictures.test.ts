import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'
import { instruments } from '../../app/db/schema'
import { isWhole } from '../support/depth'
import { expect, test, type Shop } from '../support/shop'

const path = '/dashboard/manageProduct/pictures'

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
