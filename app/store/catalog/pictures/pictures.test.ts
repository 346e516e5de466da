import { expect, test } from 'vitest'
import { pictureAddress, pictureSet, readLogoAddress, readPictureAddress, sidesOf } from './pictures'

const pathOf = (size: string) => `/pictures/${'0f'.repeat(16)}-${size}`
const picture = (width: number, height: number) => ({ path: pathOf(`${width}x${height}`), width, height })

test.for([
  [[100, 60], [100], 100],
  [[160, 90], [160], 160],
  [[90, 161], [160, 161], 161],
  [[640, 641], [160, 320, 640, 641], 640],
  [[1280, 700], [160, 320, 640, 1280], 640],
] as const)('of a picture of %j there are %j, and %i stands in its address', ([[width, height], sides, shown]) => {
  expect(sidesOf({ width, height })).toEqual(sides)
  const address = pictureAddress(picture(width, height))
  expect(address).toBe(`${pathOf(`${width}x${height}`)}/${shown}.webp`)
  expect(readPictureAddress(address)).toEqual(picture(width, height))
})

test('gives a browser each file with its width, of a tall picture the narrower one', () => {
  const tall = picture(333, 1000)
  expect(pictureSet(tall, 'avif')).toBe(
    [
      [160, 54],
      [320, 107],
      [640, 214],
      [1000, 333],
    ]
      .map(([side, width]) => `${tall.path}/${side}.avif ${width}w`)
      .join(', '),
  )
})

test.for([
  `x${pathOf('700x350')}/640.webp`,
  `${pathOf('700x350')}/640.webp?x`,
  `${pathOf('700x350')}/640.avif`,
  `${pathOf('12345x350')}/640.webp`,
  `${pathOf('700x12345')}/640.webp`,
  `${pathOf('700x350')}/.webp`,
  '/pictures/0-700x350/640.webp',
  '/plates/oboe.svg',
  `${pathOf('700x350')}/logo.svg`,
])('takes %s for no picture or logo of its own', (address) => {
  expect([readPictureAddress(address), readLogoAddress(address)]).toEqual([null, null])
})

test('shows the logo in two sizes', () => {
  const { path } = picture(700, 350)
  expect(readLogoAddress(`${path}/640.webp`)).toEqual({
    ...{ small: `${path}/160.webp`, large: `${path}/700.webp`, width: 700, height: 350 },
  })
})
