import { pictureFile, readPictureAddress, sidesOf } from './pictures'

/** A drawing of the shop has a raster twin, made by the build: most readers of such data, and emails, take no SVG. */
export function rasterImage({ img }: { img: string }, origin: string): string {
  const [, plate] = /^(\/plates\/[\w-]+)\.svg$/.exec(img) ?? []
  if (plate) return `${origin}${plate}.png`
  const picture = readPictureAddress(img)
  if (picture) return origin + pictureFile(picture, sidesOf(picture).at(-1)!, 'webp')
  return img.startsWith('https:') && !img.endsWith('.svg') ? img : `${origin}/social-card.png`
}
