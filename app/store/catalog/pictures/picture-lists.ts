import type { Picture } from '../../../db/schema'
import type { Instrument } from '../instruments'
import { pictureFile, readPictureAddress, sidesOf } from './pictures'

export type { Picture } from '../../../db/schema'

/** All of an instrument, `img` first; each says what it shows. */
export function picturesOf({
  name,
  img,
  alt,
  pictures,
}: Pick<Instrument, 'name' | 'img' | 'alt' | 'pictures'>): Picture[] {
  const others = pictures.map(({ img, alt }, index) => ({ img, alt: alt || `${name}, picture ${index + 2}` }))
  return [{ img, alt: alt || name }, ...others]
}

/** The columns of an instrument that has `img` and these pictures, in which `img` may be missing. None is there twice. */
export function placePictures(img: string, all: Picture[]): Pick<Instrument, 'alt' | 'pictures'> {
  const others = new Map(all.toReversed().map((picture) => [picture.img, picture]))
  const alt = others.get(img)?.alt ?? ''
  others.delete(img)
  return { alt, pictures: [...others.values()].toReversed() }
}

/** As one line, like '/plates/back.svg The back; /plates/scroll.svg'; a backslash stands before a semicolon within. */
export function picturesText(pictures: Picture[]): string {
  return pictures.map(({ img, alt }) => `${img} ${alt}`.trim().replace(/[\\;]/g, '\\$&')).join('; ')
}

/** Reads what `picturesText` wrote, also with line breaks between the pictures. */
export function readPictures(text: string): Picture[] {
  return (text.match(/(?:\\.|[^\\;\n])+/gsu) ?? []).flatMap((part) => {
    const [img = '', ...words] = part.replace(/\\(.)/gsu, '$1').trim().split(/\s+/)
    return img === '' ? [] : [{ img, alt: words.join(' ') }]
  })
}

/** The file of a picture that shows the most, for those who open it. */
export function largestFile(img: string): string {
  const picture = readPictureAddress(img)
  return picture ? pictureFile(picture, sidesOf(picture).at(-1)!, 'webp') : img
}
