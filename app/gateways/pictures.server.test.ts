import sharp from 'sharp'
import { expect, test } from 'vitest'
import { localImages } from '../../dev/images'
import { cloudflarePictures, readSmallPlates } from './pictures.server'
import { ProviderError } from '../store/deps'
import { maxPictureSide } from '../store/shared/limits'
import { readPictureAddress, sidesOf } from '../store/catalog/pictures/pictures'
import { pictureErrors, storePicture } from '../store/catalog/pictures/pictures.server'

/** The bucket is a map. */
async function storage() {
  const stored = new Map<string, number>()
  const bucket = { put: (key: string, file: Blob) => Promise.resolve(stored.set(key, file.size)) }
  const pictures = cloudflarePictures({ IMAGES: await localImages(), PICTURES: bucket as unknown as R2Bucket })!
  return { pictures, stored }
}

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#7a2b1b' }, limitInputPixels: false })

const fileOf = (content: Buffer | string) => new File([content as BlobPart], 'picture.jpg', { type: 'image/jpeg' })

test('stores each size in both formats, the small ones light, under a name that only the file decides', async () => {
  const { pictures, stored } = await storage()
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 100 }
  const wild = await sharp({ create: { width: 700, height: 350, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer()
  const img = await storePicture({ pictures }, fileOf(wild))
  expect(img).toMatch(/^\/pictures\/[0-9a-f]{32}-700x350\/640\.webp$/)
  expect([...stored.keys()].map((key) => key.split('/')[1]).sort()).toEqual(
    [160, 320, 640, 700].flatMap((side) => [`${side}.avif`, `${side}.webp`]).sort(),
  )
  for (const [key, bytes] of stored) {
    expect(`/pictures/${key}`).toContain(readPictureAddress(img)!.path)
    if (/\/(160|320)\./.test(key)) expect(bytes, key).toBeLessThanOrEqual(12_000)
  }
  expect(await storePicture({ pictures }, fileOf(wild))).toBe(img)
  expect(stored.size).toBe(8)
})

test.each<[keyof typeof pictureErrors, () => Buffer | string | Promise<Buffer>]>([
  ['wrongFormat', () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
  ['wrongFormat', () => '<!doctype html>'],
  ['wrongFormat', () => blank(9, 9).gif().toBuffer()],
  ['wrongFormat', () => Buffer.alloc(0)],
  [
    'tooManyPixels',
    () =>
      blank(maxPictureSide + 1, 9)
        .png()
        .toBuffer(),
  ],
  ['tooManyPixels', () => blank(8000, 5001).png().toBuffer()],
  ['unreadable', async () => (await blank(99, 99).png().toBuffer()).subarray(0, 60)],
])('refuses and stores nothing: %s (%#)', async (error, make) => {
  const { pictures, stored } = await storage()
  await expect(storePicture({ pictures }, fileOf(await make()))).rejects.toMatchObject({
    code: 'invalid',
    fields: { picture: [pictureErrors[error]] },
  })
  expect(stored.size).toBe(0)
})

test('takes a picture of the largest size', async () => {
  const { pictures } = await storage()
  const widest = await blank(maxPictureSide, 9).png().toBuffer()
  expect(await storePicture({ pictures }, fileOf(widest))).toMatch(/-1280x1\/640\.webp$/)
})

test('says that the bucket is away, and that there is none', async () => {
  const { pictures } = await storage()
  const file = fileOf(await blank(9, 9).png().toBuffer())
  const store = () => Promise.reject(new ProviderError('R2 is away', { final: false }))
  await expect(storePicture({ pictures: { ...pictures, store } }, file)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(storePicture({ pictures: null }, file)).rejects.toMatchObject({ code: 'invalid' })
})

test('finds a picture of the bucket, and needs both bindings', async () => {
  const body = new Response('x').body
  const bucket = {
    get: (key: string) => Promise.resolve(key === 'a/160.webp' ? { body } : null),
  } as unknown as R2Bucket
  const images = await localImages()
  const { find } = cloudflarePictures({ IMAGES: images, PICTURES: bucket })!
  expect([await find('a/160.webp'), await find('b/160.webp')]).toEqual([body, null])
  expect([{ IMAGES: images }, { PICTURES: bucket }, {}].map(cloudflarePictures)).toEqual([null, null, null])
})

test.for<[object, boolean]>([
  [{ info: () => Promise.reject(Object.assign(new Error('x'), { code: 9412 })) }, true],
  [{ info: () => Promise.reject(Object.assign(new Error('x'), { code: 9401 })) }, false],
  [{ info: () => Promise.reject(new Error('x')) }, false],
  [{ info: () => Promise.resolve({ format: 'image/svg+xml' }) }, true],
])('says of a failure whether it is the picture (%#): %s', async ([images, final]) => {
  const { measure } = cloudflarePictures({ IMAGES: images as ImagesBinding, PICTURES: {} as R2Bucket })!
  const error: unknown = await measure(fileOf('x')).catch((error: unknown) => error)
  expect(error).toMatchObject({
    final,
    message: expect.stringMatching(/^(Pictures: the provider failed|An SVG has no pixels)$/) as string,
  })
})

test('stores no picture of another format than the one it asked for', async () => {
  const output = { contentType: () => 'image/jpeg', response: () => new Response('x') }
  const transform = { output: () => Promise.resolve(output) }
  const images = { input: () => ({ transform: () => transform }) } as unknown as ImagesBinding
  const { convert } = cloudflarePictures({ IMAGES: images, PICTURES: {} as R2Bucket })!
  const error: unknown = await convert(fileOf('x'), { side: 160, format: 'avif' }).catch((error: unknown) => error)
  expect(error).toMatchObject({ final: false, cause: new Error('Images made image/jpeg instead of image/avif') })
})

test('reads the small plates that the build made, and none without a build', async () => {
  const asked: unknown[] = []
  const answering = (response: Response) => ({
    ASSETS: { fetch: (url: unknown) => (asked.push(url), Promise.resolve(response)) } as unknown as Fetcher,
  })
  expect(await readSmallPlates(answering(Response.json({ violin: '<svg/>' })))).toEqual({ violin: '<svg/>' })
  expect(await readSmallPlates(answering(new Response('Not found', { status: 404 })))).toEqual({})
  expect(await readSmallPlates({})).toEqual({})
  expect(asked).toEqual(Array(2).fill('https://assets.local/plates/small.json'))
})

test.each([
  [{ width: 1280, height: 960 }, [160, 320, 640, 1280]],
  [{ width: 600, height: 900 }, [160, 320, 640, 900]],
  [{ width: 320, height: 100 }, [160, 320]],
  [{ width: 9, height: 9 }, [9]],
])('has files of the sizes below the picture’s own, and of that: %o', (size, sides) => {
  expect(sidesOf(size)).toEqual(sides)
})
