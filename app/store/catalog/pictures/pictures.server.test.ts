import { expect, test } from 'vitest'
import { fakePictures, jpeg } from '../../../../tests/support/fake-pictures'
import { ProviderError } from '../../deps'
import { maxPictureBytes, maxPicturePixels, maxPictures, maxPictureSide } from '../../shared/limits'
import { describeMissingImage, pictureErrors, storePicture, withPictures } from './pictures.server'

const fileOf = (bytes: string) => new File([Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))], 'a.png')
const refusal = (message: string) => ({ code: 'invalid', fields: { picture: [message] } })

test.for([
  ['\xff\xd8\xff', null],
  ['\x89PNG\r\n', null],
  ['\x89PNG\r\n IDAT acTL', null],
  ['RIFF1234WEBPVP8 ', null],
  ['RIFF1234WEBPVP8X1234\x10', null],
  ['RIFF1234WEBPVP8L1234\x02', null],
  ['1234ftypavif', null],
  [`1234ftyp${'x'.repeat(56)}avif`, null],
  ['\xff\xd8', 'wrongFormat'],
  [' \xff\xd8\xff', 'wrongFormat'],
  ['\x89PNG\n', 'wrongFormat'],
  [' \x89PNG\r\n', 'wrongFormat'],
  ['RIFF123WEBPVP8 ', 'wrongFormat'],
  [' RIFF1234WEBPVP8 ', 'wrongFormat'],
  ['12345ftypavif', 'wrongFormat'],
  [`1234ftyp${'x'.repeat(57)}avif`, 'wrongFormat'],
  ['\x89PNG\r\n acTL IDAT', 'animated'],
  ['RIFF1234WEBPVP8X1234\x12', 'animated'],
  ['1234ftypavis avif', 'animated'],
  ['1234ftypavif avis', 'animated'],
] as const)('finds in a file that begins with %j: %s', async ([bytes, error]) => {
  const { pictures, stored } = fakePictures()
  const storing = storePicture({ pictures }, fileOf(bytes))
  if (error === null) expect(await storing).toMatch(/^\/pictures\/[0-9a-f]{32}-800x400\/640\.webp$/)
  else await expect(storing).rejects.toMatchObject(refusal(pictureErrors[error]))
  expect(stored).toHaveLength(error === null ? 8 : 0)
})

test('takes a file of the most bytes, and none of one more', async () => {
  const { pictures } = fakePictures()
  const [largest, larger] = [0, 1].map((more) => jpeg('x'.repeat(maxPictureBytes - 3 + more)))
  expect(await storePicture({ pictures }, largest!)).toContain('/pictures/')
  await expect(storePicture({ pictures }, larger!)).rejects.toMatchObject(refusal(pictureErrors.tooLarge))
})

test.for([
  [maxPictureSide, 1, true],
  [1, maxPictureSide + 1, false],
  [8000, maxPicturePixels / 8000, true],
  [8000, maxPicturePixels / 8000 + 1, false],
] as const)('takes a picture of %i × %i pixels: %s', async ([width, height, isTaken]) => {
  const { pictures, conversions } = fakePictures({ width, height })
  const storing = storePicture({ pictures }, jpeg(''))
  if (isTaken) await storing
  else await expect(storing).rejects.toMatchObject(refusal(pictureErrors.tooManyPixels))
  expect(conversions.length > 0).toBe(isTaken)
})

test('makes files for lists smaller until they are light, and the others once, all from one on paper', async () => {
  const made = async (bytesOf: (quality?: number) => number) => {
    const { pictures, conversions } = fakePictures({ bytesOf: ({ quality }) => bytesOf(quality) })
    await storePicture({ pictures }, jpeg(''))
    const of = (side: number, format: string) =>
      conversions.filter((each) => each.side === side && each.format === format)
    return { largest: conversions[0], of }
  }
  const light = await made((quality = 0) => (quality > 20 ? 12_001 : 12_000))
  expect(light.largest).toEqual({ side: 1280, format: 'png', background: '#fbf7f0' })
  for (const side of [160, 320]) {
    expect(light.of(side, 'avif').map(({ quality }) => quality)).toEqual([50, 40, 30, 20])
    expect(light.of(side, 'webp').map(({ quality }) => quality)).toEqual([75, 60, 45, 30, 15])
  }
  for (const side of [640, 800]) {
    expect(light.of(side, 'avif')).toEqual([{ side, format: 'avif', quality: 50 }])
    expect(light.of(side, 'webp')).toEqual([{ side, format: 'webp', quality: 75 }])
  }
  const { of } = await made(() => 12_001)
  expect(of(320, 'avif').slice(3)).toEqual([
    { side: 320, format: 'avif', quality: 20 },
    { side: 320, format: 'avif', quality: 20, blur: 10 },
  ])
  expect(of(320, 'webp').at(-1)).toEqual({ side: 320, format: 'webp', quality: 15, blur: 10 })
})

test('says that a picture cannot be read, or that it could not be stored, or that there is nowhere to', async () => {
  const { pictures } = fakePictures()
  const failing = (error: Error) => ({ pictures: { ...pictures, store: () => Promise.reject(error) } })
  const storing = (error: Error) => storePicture(failing(error), jpeg(''))
  await expect(storing(new ProviderError('x', { final: true }))).rejects.toMatchObject(
    refusal(pictureErrors.unreadable),
  )
  for (const error of [new ProviderError('x', { final: false }), new Error('x')])
    await expect(storing(error)).rejects.toMatchObject({
      code: 'unavailable',
      message: pictureErrors.notStored,
      cause: error,
    })
  await expect(storePicture({ pictures: null }, jpeg(''))).rejects.toMatchObject(refusal(pictureErrors.unavailable))
})

test('puts a file in the place of the first picture, and others behind those that are there', async () => {
  const deps = fakePictures()
  const addressOf = (content: string) => storePicture(deps, jpeg(content))
  const form = { img: '/1.svg', pictureAlt1: 'Front', pictureAddress2: '/2.svg', pictureNewAlt2: 'Scroll' }
  const files = { picture: [jpeg('a')], pictures: [jpeg('b'), jpeg('c')] }
  const { img, pictures: all } = await withPictures(deps, form, files)
  expect([img, all]).toEqual([
    await addressOf('a'),
    [
      { img: await addressOf('a'), alt: 'Front' },
      { img: '/2.svg', alt: '' },
      { img: await addressOf('b'), alt: '' },
      { img: await addressOf('c'), alt: 'Scroll' },
    ],
  ])
  expect(await withPictures(deps, { ...form, pictureDelete1: 'on' }, {})).toEqual({
    ...{ ...form, pictureDelete1: 'on' },
    ...{ img: '/2.svg', pictures: [{ img: '/2.svg', alt: '' }] },
  })
  expect((await withPictures(deps, {}, { picture: [jpeg('a')] })).img).toBe(await addressOf('a'))
})

test('stores no file for a product without a picture or with too many, and names the file of several that is wrong', async () => {
  const deps = fakePictures()
  await expect(withPictures(deps, { pictureDelete1: 'on' }, { picture: [jpeg('a')] })).rejects.toMatchObject({
    fields: { img: ['Leave at least one picture'] },
  })
  const many = Array.from({ length: maxPictures }, () => jpeg('a'))
  await expect(withPictures(deps, { img: '/1.svg' }, { pictures: many })).rejects.toMatchObject({
    fields: { pictures: [expect.stringContaining(`choose ${maxPictures - 1} at most`)] },
  })
  expect(deps.stored).toEqual([])
  const [text, other] = [new File(['x'], 'n'.repeat(61)), jpeg('b')]
  for (const [files, message] of [
    [[text], pictureErrors.wrongFormat],
    [[other, text], `${'n'.repeat(60)}: ${pictureErrors.wrongFormat}`],
  ] as const)
    await expect(withPictures(deps, { img: '/1.svg' }, { pictures: [...files] })).rejects.toMatchObject({
      fields: { pictures: [message] },
    })
})

test('warns of an address elsewhere that does not answer with an image, by its host', async () => {
  const warn = (img: string, isThere = false) =>
    describeMissingImage({ isImage: () => Promise.resolve(isThere) }, { img })
  expect(await warn('/plates/oboe.svg')).toBe('')
  expect(await warn('https://a.example/b.jpg', true)).toBe('')
  expect(await warn('https://a.example/b.jpg')).toBe(
    ' But a.example does not answer with a picture: check the Image URL.',
  )
  expect(await warn(`https://${'a'.repeat(101)}/b.jpg`)).toContain(` But ${'a'.repeat(100)} does`)
})
