import { expect, test } from 'vitest'
import { placePictures } from './picture-lists'

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
