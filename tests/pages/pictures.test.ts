import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { findInstrument } from '../../app/store/catalog/instruments.server'
import { maxPictureBytes, maxPictureFormBytes, maxPictureSide } from '../../app/store/shared/limits'
import { isWhole } from '../support/depth'
import type { TestBrowser } from '../support/test-browser'
import { expect, test, type Shop } from '../support/shop'

const addPath = '/dashboard/addProduct'
const fields = { name: 'Viola', price: '900', minQuantity: '1', availableQuantity: '4', img: '' }

/** Like a photo: a gradient, a shape and grain, with the place where it was taken. */
function photo(width = 2000, height = 1500, grain = 12) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="g" x2="1" y2="1"><stop stop-color="#d9b27c"/><stop offset="1" stop-color="#35160b"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#g)"/><ellipse cx="50%" cy="50%" rx="25%" ry="40%" fill="#7a2b1b"/></svg>`
  return sharp(Buffer.from(svg))
    .composite([{ input: { create: noise(width, height, grain) }, blend: 'soft-light' }])
    .withExif({ IFD0: { Copyright: 'The Shopkeeper' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
}

function noise(width: number, height: number, sigma: number) {
  return {
    width,
    height,
    channels: 3 as const,
    background: '#808080',
    noise: { type: 'gaussian' as const, mean: 128, sigma },
  }
}

function formWith(
  picture: Buffer | string,
  { name = 'photo.jpg', type = 'image/jpeg', ...more }: Record<string, string> = {},
) {
  const form = new FormData()
  for (const [field, value] of Object.entries({ ...fields, submissionId: crypto.randomUUID(), ...more }))
    form.set(field, value)
  form.set('picture', new File([picture as BlobPart], name, { type }))
  return form
}

test.beforeEach(({ shop }) => shop.deletePictures())

async function onSale(shop: Shop) {
  return (await shop.visitor().fetch('/instruments')).json<{ img: string }[]>()
}

async function imageAt(browser: TestBrowser, path: string) {
  const response = await browser.fetch(path)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { response, bytes, metadata: await sharp(bytes).metadata() }
}

test('turns an uploaded photo into light files without metadata, which the pages choose from', async ({ shop }) => {
  const admin = await shop.signedIn(await shop.admin())
  const jpeg = await photo().jpeg({ quality: 90 }).toBuffer()
  expect(jpeg.toString('latin1')).toContain('The Shopkeeper')
  const added = await admin.post(addPath, formWith(jpeg))
  expect(added.text).toContain('New Product added!')

  const keys = await shop.storedPictures()
  expect(keys.map((key) => key.replace(/^.*\//, '')).sort()).toEqual(
    [160, 320, 640, 1280].flatMap((side) => [`${side}.avif`, `${side}.webp`]).sort(),
  )
  const visitor = shop.visitor()
  for (const key of keys) {
    const { response, bytes, metadata } = await imageAt(visitor, `/pictures/${key}`)
    const [, side, format] = /(\d+)\.(\w+)$/.exec(key)!
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': `image/${format}`,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    })
    expect(metadata).toMatchObject({ width: Number(side), height: Number(side) * 0.75 })
    expect([metadata.exif, metadata.xmp, metadata.iptc]).toEqual([undefined, undefined, undefined])
    expect(bytes.toString('latin1')).not.toMatch(/Shopkeeper|Exif|GPS/)
    if (Number(side) <= 320) expect(bytes.byteLength).toBeLessThanOrEqual(12_000)
  }

  const path = `/pictures/${keys[0]!.split('/')[0]!}`
  const [{ img } = { img: '' }] = await onSale(shop)
  expect(img).toBe(`${path}/640.webp`)
  const page = (await visitor.get('/catalog/viola')).page
  const set = (format: string) =>
    `${path}/160.${format} 160w, ${path}/320.${format} 320w, ${path}/640.${format} 640w, ${path}/1280.${format} 1280w`
  expect(page.querySelector('picture source')?.attributes).toMatchObject({ type: 'image/avif', srcSet: set('avif') })
  expect(page.querySelector('picture img')?.attributes).toMatchObject({
    src: img,
    srcSet: set('webp'),
    alt: 'Viola',
    width: '1280',
    height: '960',
    sizes: '(min-width: 48rem) 28rem, 100vw',
  })
  expect(page.querySelector('meta[property="og:image"]')?.getAttribute('content')).toBe(
    `${visitor.origin}${path}/1280.webp`,
  )
  const sizesIn = async (list: string, place: string) =>
    (await visitor.get(list)).page.querySelector(`${place} picture source`)?.getAttribute('sizes')
  expect(await sizesIn('/allInstruments', 'table')).toBe('80px')
  expect(await sizesIn('/', 'article')).toBe('(min-width: 64rem) 23rem, (min-width: 40rem) 45vw, 5.5rem')
})

test.runIf(isWhole)('makes even noise light at 320 pixels', async ({ shop }) => {
  const admin = await shop.signedIn(await shop.admin())
  const wild = await sharp({ create: noise(1400, 1400, 120) })
    .png()
    .toBuffer()
  await admin.post(addPath, formWith(wild))
  const small = (await shop.storedPictures()).filter((key) => key.includes('/320.'))
  expect(small).toHaveLength(2)
  for (const key of small) {
    const { bytes, metadata } = await imageAt(admin, `/pictures/${key}`)
    expect(metadata.width).toBe(320)
    expect(bytes.byteLength).toBeLessThanOrEqual(12_000)
  }
})

test('takes JPEG, PNG, WebP and AVIF, turns them upright and enlarges none', async ({ shop }) => {
  const admin = await shop.signedIn(await shop.admin())
  const small = photo(500, 300)
  const files = [
    await small.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    await sharp({ create: { width: 500, height: 300, channels: 4, background: '#0000' } })
      .png()
      .toBuffer(),
    await small.clone().webp().toBuffer(),
    await small.clone().avif({ effort: 0 }).toBuffer(),
  ]
  for (const [index, file] of files.entries()) {
    // The name and the declared type say nothing.
    const added = await admin.post(addPath, formWith(file, { name: 'x.txt', type: 'text/plain' }))
    expect(added.text, String(index)).toContain('New Product added!')
  }
  const [upright, ...others] = (await onSale(shop)).map(({ img }) => img)
  expect(upright).toMatch(/-300x500\/500\.webp$/)
  for (const img of others) expect(img).toMatch(/-500x300\/500\.webp$/)
  const { dominant } = await sharp((await imageAt(admin, others[0]!)).bytes).stats()
  expect(Math.min(dominant.r, dominant.g, dominant.b), 'transparent on paper').toBeGreaterThan(224)
  const { metadata } = await imageAt(admin, upright!.replace('500.webp', '320.avif'))
  expect(metadata).toMatchObject({ width: 192, height: 320 })
  expect((await shop.storedPictures()).filter((key) => key.startsWith(upright!.split('/')[2]!))).toHaveLength(6)
})

/** A PNG of one colour: 900 million pixels in 110 kB. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.byteLength)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

test('refuses what is no picture, moves or is too large, keeps the input, and stores nothing', async ({ shop }) => {
  const admin = await shop.signedIn(await shop.admin())
  const frame = await photo(60, 60).png().toBuffer()
  const frames = Array.from({ length: 2 }, (_, index) =>
    sharp(frame)
      .negate(index > 0)
      .png()
      .toBuffer(),
  )
  const moving = await sharp(await Promise.all(frames), { join: { animated: true } })
    .webp()
    .toBuffer()
  const cases: [why: string, file: Buffer | string, message: string][] = [
    [
      'SVG',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'must be a JPEG, PNG, WebP or AVIF',
    ],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'must be a JPEG, PNG, WebP or AVIF'],
    ['GIF', await photo(60, 60).gif().toBuffer(), 'must be a JPEG, PNG, WebP or AVIF'],
    ['an animation', moving, 'The picture moves.'],
    ['a bomb', bomb(30_000, 30_000), 'at most 12,000 pixels on each side, and 40 million in all'],
    ['one that is too wide', bomb(maxPictureSide + 1, 10), 'at most 12,000 pixels'],
    ['one with too many pixels', bomb(8000, 5001), 'at most 12,000 pixels'],
    ['one that is cut off', frame.subarray(0, frame.byteLength / 2), 'could not be read'],
    [
      'one that is too heavy',
      Buffer.concat([frame, Buffer.alloc(maxPictureBytes - frame.byteLength + 1)]),
      'larger than 10 MB',
    ],
  ]
  for (const [why, file, message] of cases) {
    const refused = await admin.post(addPath, formWith(file))
    expect(refused.status, why).toBe(422)
    expect(refused.page.querySelector('#picture-error')?.text, why).toContain(message)
    expect(refused.page.querySelector('[name=name]')?.getAttribute('value'), why).toBe('Viola')
    expect(refused.text).toContain('choose it again')
  }
  const heavier = await admin.post(addPath, formWith(Buffer.alloc(maxPictureFormBytes + 600_000)))
  expect(heavier.status).toBe(413)
  expect(heavier.page.querySelector('#pictures-error')?.text).toContain('The files are larger than 20 MB together.')
  // Beside another error, the picture is not even looked at.
  expect((await admin.post(addPath, formWith(frame, { price: 'much' }))).status).toBe(422)
  expect(await shop.storedPictures()).toEqual([])
  expect(await onSale(shop)).toEqual([])
})

test('replaces the picture of a product, and the audit log says so', async ({ shop }) => {
  const viola = await shop.sells({ name: 'Viola' })
  const admin = await shop.signedIn(await shop.admin())
  const path = `/dashboard/manageProduct/${viola}`
  const form = await admin.get(path)
  expect(form.page.querySelector('form[enctype="multipart/form-data"] input[type=file]')?.getAttribute('name')).toBe(
    'picture',
  )
  const upload = formWith(await photo(400, 400).jpeg().toBuffer(), {
    img: '/plates/violin-4-4.svg',
    stockChange: '0',
    stockNote: '',
  })
  expect((await admin.post(path, upload)).text).toContain('Product updated.')
  expect((await findInstrument(shop.deps, viola))!.img).toMatch(/^\/pictures\/[0-9a-f]{32}-400x400\/400\.webp$/)
  expect((await shop.auditLogOf(viola)).at(-1)).toMatchObject({
    event: 'instrument changed',
    note: expect.stringContaining('picture') as string,
  })
  // The address is still a field: it leads back.
  const again = await admin.press(await admin.get(path), 'Save', { img: '/plates/oboe.svg' })
  expect(again.text).toContain('Product updated.')
  expect((await shop.visitor().get('/catalog/viola')).page.querySelector('.product-image')?.getAttribute('src')).toBe(
    '/plates/oboe.svg',
  )
  expect((await admin.press(await admin.get(path), 'Save', { img: '' })).text).toContain('Image is Required')
})

test('says that an address does not answer with a picture, and saves it', async ({ shop }) => {
  const admin = await shop.signedIn(await shop.admin())
  const add = async (img: string) =>
    (await admin.press(await admin.get(addPath), 'Add Product', { ...fields, name: img, img })).text
  for (const img of ['https://pictures.example/viola.gif', 'https://moved.example/viola.gif', '/plates/oboe.svg']) {
    expect(await add(img)).not.toContain('does not answer')
  }
  const hosts = [
    'gone.example',
    'page.example',
    'inward.example',
    'silent.example',
    '10.0.0.1',
    'localhost',
    'db.internal',
    '%',
    'a.example:22',
  ]
  for (const host of hosts) {
    const text = await add(`https://${host}/viola.gif`)
    expect(text).toContain('New Product added!')
    expect(text).toContain(`${host} does not answer with a picture`)
  }
  expect(await onSale(shop)).toHaveLength(3 + hosts.length)
})

test('serves a picture to a browser that has it with 304, to HEAD without a body, and no other file', async ({
  shop,
}) => {
  const admin = await shop.signedIn(await shop.admin())
  await admin.post(addPath, formWith(await photo(100, 100).jpeg().toBuffer()))
  const [{ img } = { img: '' }] = await onSale(shop)
  const visitor = shop.visitor()
  const { response, bytes } = await imageAt(visitor, img)
  const etag = response.headers.get('etag')!
  const known = await visitor.fetch(img, { headers: { 'if-none-match': etag } })
  expect([known.status, known.headers.get('etag'), (await known.arrayBuffer()).byteLength]).toEqual([304, etag, 0])
  const head = await visitor.fetch(img, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(bytes.byteLength).toBeGreaterThan(0)
  for (const path of [
    img.replace('100.webp', '320.webp'),
    img.replace('.webp', '.svg'),
    '/pictures/x/1.webp',
    '/pictures/',
  ]) {
    expect((await visitor.fetch(path, { headers: { 'if-none-match': etag } })).status, path).toBe(404)
  }
})

test('keeps the input when the image service is away, and takes addresses without it', async ({ shop, host }) => {
  const picture = await photo(100, 100).jpeg().toBuffer()
  const admin = await shop.signedIn(await shop.admin())
  host.pictures = 'fail'
  const failed = await admin.post(addPath, formWith(picture))
  expect(failed.status).toBe(503)
  expect(failed.text).toContain('The picture could not be stored. Try again.')
  expect(failed.page.querySelector('[name=name]')?.getAttribute('value')).toBe('Viola')
  expect(await shop.storedPictures()).toEqual([])
  host.pictures = 'work'
  expect((await admin.post(addPath, formWith(picture))).text).toContain('New Product added!')

  host.pictures = 'none'
  await shop.configure({})
  const without = await shop.signedIn(await shop.admin())
  const form = await without.get(addPath)
  expect(form.text).toContain('Files cannot be uploaded here.')
  expect((await without.post(addPath, formWith(picture))).text).toContain('Files cannot be uploaded here.')
  expect((await without.press(form, 'Add Product', { ...fields, img: '/plates/oboe.svg' })).text).toContain(
    'New Product added!',
  )
  host.pictures = 'work'
})
