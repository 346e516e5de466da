import { expect, test } from 'vitest'
import { largestFile, picturesOf, picturesText, placePictures, readPictures } from './picture-lists'

const back = { img: '/back.svg', alt: 'The back' }
const scroll = { img: '/scroll.svg', alt: 'The scroll' }

test('keeps further pictures in their order, and takes the words of the first one', () => {
  const front = { img: '/front.svg', alt: 'The front' }
  expect(placePictures('/front.svg', [back, front, scroll])).toEqual({
    alt: 'The front',
    pictures: [back, scroll],
  })
  expect(placePictures('/front.svg', [])).toEqual({ alt: '', pictures: [] })
})

test('says of each picture of an instrument what it shows', () => {
  const instrument = { name: 'Viola', img: '/front.svg', alt: '', pictures: [back, { img: '/scroll.svg', alt: '' }] }
  expect(picturesOf(instrument)).toEqual([
    { img: '/front.svg', alt: 'Viola' },
    back,
    { img: '/scroll.svg', alt: 'Viola, picture 3' },
  ])
  expect(picturesOf({ ...instrument, alt: 'The front' })[0]!.alt).toBe('The front')
})

test('writes pictures as one line, and reads it', () => {
  const odd = [{ img: '/a;b.svg', alt: 'Back; \\ side' }, scroll, { img: '/c.svg', alt: '' }]
  expect(picturesText(odd)).toBe('/a\\;b.svg Back\\; \\\\ side; /scroll.svg The scroll; /c.svg')
  expect(readPictures(picturesText(odd))).toEqual(odd)
  expect(readPictures(' /a.svg  The   back \n\n ; /scroll.svg The scroll;')).toEqual([
    { img: '/a.svg', alt: 'The back' },
    scroll,
  ])
})

test('opens the largest file of a picture', () => {
  const name = `/pictures/${'0'.repeat(32)}-700x350`
  expect(largestFile(`${name}/640.webp`)).toBe(`${name}/700.webp`)
  expect(largestFile('/plates/a.svg')).toBe('/plates/a.svg')
})
