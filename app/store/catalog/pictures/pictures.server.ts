import { ProviderError, type Deps, type Pictures } from '../../deps'
import { maxPictureBytes, maxPictureFormBytes, maxPicturePixels, maxPictureSide } from '../../shared/limits'
import { Refusal } from '../../shared/refusal'
import { arrangePictures, requirePictures, type PictureRows } from './picture-fields.server'
import type { Picture } from './picture-lists'
import { pictureAddress, pictureFile, pictureFormats, pictureSides, sidesOf, type PictureFormat } from './pictures'
import { cutText } from '../../shared/text'

export const pictureErrors = {
  unavailable: 'Files cannot be uploaded here. Enter an address instead.',
  tooLarge: `The file is larger than ${maxPictureBytes / 1024 / 1024} MB.`,
  tooLargeTogether: `The files are larger than ${maxPictureFormBytes / 1024 / 1024} MB together. Choose fewer, and add the others later.`,
  wrongFormat: 'The picture must be a JPEG, PNG, WebP or AVIF file.',
  animated: 'The picture moves. Choose one that does not.',
  tooManyPixels: `The picture is too large: at most ${maxPictureSide.toLocaleString('en-US')} pixels on each side, and ${maxPicturePixels / 1_000_000} million in all.`,
  unreadable: 'This picture could not be read. Save it again as JPEG or PNG, with fewer pixels.',
  notStored: 'The picture could not be stored. Try again.',
}

/** For `submit`. */
export const pictureUpload = {
  names: ['picture', 'pictures'],
  maxBytes: maxPictureFormBytes,
  tooLarge: pictureErrors.tooLargeTogether,
}

interface PictureFiles {
  picture?: File[]
  pictures?: File[]
}

/** The input with its pictures in their new order. Files are stored first: `picture` replaces the first, `pictures` are added. */
export async function withPictures<Input extends PictureRows>(
  deps: Pick<Deps, 'pictures'>,
  input: Input,
  { picture: [first] = [], pictures: more = [] }: PictureFiles,
): Promise<Input & { img: string; pictures: Picture[] }> {
  // An address that stands in until the file has one.
  const count = arrangePictures(first ? { ...input, img: '/' } : input).length
  requirePictures(count, more.length)
  const img = first ? await storePicture(deps, first) : input.img
  const pictures = arrangePictures({ ...input, img })
  // One by one: each is decoded.
  for (const [index, file] of more.entries()) {
    const name = more.length > 1 ? cutText(file.name, 60) : ''
    pictures.push({
      img: await storePicture(deps, file, 'pictures', name),
      alt: input[`pictureNewAlt${index + 1}`] ?? '',
    })
  }
  return { ...input, img: pictures[0]!.img, pictures }
}

/** A sentence for the toast if an address elsewhere does not answer with an image; else empty. The product is saved. */
export async function describeMissingImage(
  { isImage }: Pick<Deps, 'isImage'>,
  { img }: { img: string },
): Promise<string> {
  if (!img.startsWith('https:') || (await isImage(img))) return ''
  const host = cutText(img.slice('https://'.length).split('/')[0]!, 100)
  return ` But ${host} does not answer with a picture: check the Image URL.`
}

/**
 * Converts a picture and stores its files; the address for the column `img`. The same file gives the same address.
 * Refuses what is no picture, moves, or has too many bytes or pixels, before anything is stored; the error is that of
 * `field`, and names the file if `name` is given.
 */
export async function storePicture(
  { pictures }: Pick<Deps, 'pictures'>,
  file: File,
  field = 'picture',
  name = '',
): Promise<string> {
  const refusal = (message: string) =>
    new Refusal('invalid', '', { fields: { [field]: [name ? `${name}: ${message}` : message] } })
  if (!pictures) throw refusal(pictureErrors.unavailable)
  if (file.size > maxPictureBytes) throw refusal(pictureErrors.tooLarge)
  const bytes = new Uint8Array(await file.arrayBuffer())
  const wrong = findFormatError(bytes)
  if (wrong) throw refusal(pictureErrors[wrong])
  try {
    const { width, height } = await pictures.measure(file)
    if (Math.max(width, height) > maxPictureSide || width * height > maxPicturePixels) {
      throw refusal(pictureErrors.tooManyPixels)
    }
    // The file is decoded once, not for each of its sizes.
    const largest = await pictures.convert(file, { side: pictureSides.at(-1)!, format: 'png', background: paper })
    const size = await pictures.measure(largest)
    const path = `/pictures/${await hashOf(bytes)}-${size.width}x${size.height}`
    const files = await Promise.all(
      sidesOf(size).flatMap((side) =>
        pictureFormats.map(async (format) => ({
          key: keyOf(pictureFile({ path }, side, format)),
          body: await encode(pictures, largest, side, format),
        })),
      ),
    )
    await Promise.all(files.map(({ key, body }) => pictures.store(key, body)))
    return pictureAddress({ path, ...size })
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof ProviderError && error.final) throw refusal(pictureErrors.unreadable)
    throw new Refusal('unavailable', pictureErrors.notStored, { cause: error })
  }
}

/** The ground of the shop's own drawings, in the dark too. */
const paper = '#fbf7f0'

/** In the bucket: the path of the file without `/pictures/`. */
export function keyOf(path: string): string {
  return path.slice('/pictures/'.length)
}

const signatures = [
  /^\xff\xd8\xff/, // JPEG
  /^\x89PNG\r\n/,
  /^RIFF[^]{4}WEBPVP8/,
  /^[^]{4}ftyp[^]{0,56}avif/,
]

const animatedSignatures = [/^\x89PNG(?:(?!IDAT)[^])*acTL/, /^[^]{4}ftyp[^]{0,56}avis/]

/** The flag of an extended WebP. */
const isAnimatedWebp = (head: string) => head.startsWith('VP8X', 12) && (head.charCodeAt(20) & 2) !== 0

/** By the first bytes, never by the name or the declared type. */
function findFormatError(bytes: Uint8Array): 'wrongFormat' | 'animated' | null {
  const head = String.fromCharCode(...bytes.subarray(0, 4096))
  if (!signatures.some((signature) => signature.test(head))) return 'wrongFormat'
  const isAnimated = isAnimatedWebp(head) || animatedSignatures.some((signature) => signature.test(head))
  return isAnimated ? 'animated' : null
}

/** Files for lists and cards must be light. */
const smallSide = 320
const maxSmallBytes = 12_000

/** From the best to the smallest; a blur makes even noise small. */
const qualities: Record<PictureFormat, { quality: number; blur?: number }[]> = {
  avif: [...[50, 40, 30, 20].map((quality) => ({ quality })), { quality: 20, blur: 10 }],
  webp: [...[75, 60, 45, 30, 15].map((quality) => ({ quality })), { quality: 15, blur: 10 }],
}

async function encode(pictures: Pictures, picture: Blob, side: number, format: PictureFormat): Promise<Blob> {
  const maxBytes = side <= smallSide ? maxSmallBytes : Infinity
  let file: Blob | undefined
  for (const quality of qualities[format]) {
    file = await pictures.convert(picture, { side, format, ...quality })
    if (file.size <= maxBytes) break
  }
  return file!
}

/** In hexadecimal. 128 bits are enough: only admins upload. */
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
