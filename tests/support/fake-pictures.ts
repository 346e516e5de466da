import type { Conversion, Pictures } from '../../app/store/deps'

/** What an image service sees in every file, in pixels, and how large a file is that it makes. */
interface Look {
  width?: number
  height?: number
  bytesOf?: (to: Conversion) => number
}

/** An image service and a bucket. */
export function fakePictures({ width = 800, height = 400, bytesOf = () => 1 }: Look = {}) {
  const conversions: Conversion[] = []
  const stored: string[] = []
  const pictures: Pictures = {
    measure: () => Promise.resolve({ width, height }),
    convert: (_, to) => {
      conversions.push(to)
      return Promise.resolve(new Blob([new Uint8Array(bytesOf(to))]))
    },
    store: (key) => Promise.resolve(void stored.push(key)),
    find: () => Promise.resolve(null),
  }
  return { pictures, conversions, stored }
}

/** What the shop takes for a JPEG, with other bytes for another `content`. */
export const jpeg = (content: string, name = 'a.jpg') => new File([Uint8Array.of(0xff, 0xd8, 0xff), content], name)
