/** A picture is fitted into squares with these sides, in pixels, and never enlarged (decision 27). */
export const pictureSides = [160, 320, 640, 1280] as const

export const pictureFormats = ['avif', 'webp'] as const
export type PictureFormat = (typeof pictureFormats)[number]

/** An uploaded picture. Width and height are those of its largest files, in pixels. */
export interface UploadedPicture {
  path: string
  width: number
  height: number
}

/** The sides of its files. The last is its own longest side if that is less than 1280. */
export function sidesOf({ width, height }: Omit<UploadedPicture, 'path'>): number[] {
  const longest = Math.max(width, height)
  return [...pictureSides.filter((side) => side < longest), longest]
}

export function pictureFile({ path }: Pick<UploadedPicture, 'path'>, side: number, format: PictureFormat): string {
  return `${path}/${side}.${format}`
}

/** What stands in the column `img`: a file that every browser and program can show. */
export function pictureAddress(picture: UploadedPicture): string {
  const side = sidesOf(picture).findLast((side) => side <= 640)!
  return pictureFile(picture, side, 'webp')
}

/** Null for any other address. */
export function readPictureAddress(img: string): UploadedPicture | null {
  const [, path, width, height] = /^(\/pictures\/[0-9a-f]{32}-(\d{1,4})x(\d{1,4}))\/\d+\.webp$/.exec(img) ?? []
  return path === undefined ? null : { path, width: Number(width), height: Number(height) }
}

/** The smallest and the largest file of the shop's logo. Null for an address that is no uploaded picture. */
export function readLogoAddress(address: string) {
  const picture = readPictureAddress(address)
  if (!picture) return null
  const sides = sidesOf(picture)
  const [small, large] = [sides[0]!, sides.at(-1)!].map((side) => pictureFile(picture, side, 'webp')) as [
    string,
    string,
  ]
  return { small, large, width: picture.width, height: picture.height }
}

/** Each file with its width, for `srcset`. */
export function pictureSet(picture: UploadedPicture, format: PictureFormat): string {
  const { width, height } = picture
  return sidesOf(picture)
    .map((side) => `${pictureFile(picture, side, format)} ${Math.ceil((width * side) / Math.max(width, height))}w`)
    .join(', ')
}
