import { z } from 'zod'
import { maxPictures } from '../../shared/limits'
import { Refusal } from '../../shared/refusal'
import { imageAddress, optional, singleLine } from '../../shared/validation.server'
import { placePictures, readPictures, type Picture } from './picture-lists'

export const altField = optional(singleLine({ label: 'Alt text', required: 'Alt text must be text', max: 200 }))

const tooManyPictures = `There can be at most ${maxPictures} pictures`

const picture = z.object({ img: imageAddress, alt: altField.optional() })

/** In the JSON of an instrument: all its pictures. `img` is the first, whether it is there or not. */
export const picturesField = z
  .array(z.union([imageAddress, picture], { error: 'A picture is an address, or has img and alt' }))
  .max(maxPictures, { error: tooManyPictures })
  .transform((all) => all.map((each) => (typeof each === 'string' ? { img: each, alt: '' } : withAlt(each))))
  .optional()
  .meta({ description: `At most ${maxPictures} pictures, in their order; the first is img` })

function withAlt({ img, alt }: z.output<typeof picture>): Picture {
  return { img, alt: alt ?? '' }
}

/** For a body with `img` and `pictures`. */
export function checkPictures(
  { img, pictures = [] }: { img: string; pictures?: Picture[] | undefined },
  { addIssue }: Pick<z.RefinementCtx, 'addIssue'>,
): void {
  if (placePictures(img, pictures).pictures.length < maxPictures) return
  addIssue({ code: 'custom', path: ['pictures'], message: tooManyPictures })
}

/** In a CSV file, the pictures after `img`: see `picturesText`. */
export const picturesCell = z.string().transform((text, { addIssue }): Picture[] =>
  readPictures(text).map((each) => {
    const read = picture.safeParse(each)
    if (read.success) return withAlt(read.data)
    addIssue({ code: 'custom', message: read.error.issues[0]!.message })
    return each
  }),
)

const rows = Array.from({ length: maxPictures }, (_, index) => index + 1)
const place = z.number({ error: 'Choose a place' }).int({ error: 'Choose a place' })
const fields = { Alt: altField.optional(), Place: place.optional(), Delete: z.string().optional() }

/** In the form, a row for each picture that there is; the address of the first is `img`. New files have their own alt texts. */
export const pictureRows = Object.fromEntries(
  rows.flatMap((row) => [
    ...(row === 1 ? [] : [[`pictureAddress${row}`, imageAddress.optional()]]),
    ...Object.entries(fields).map(([name, field]) => [`picture${name}${row}`, field]),
    [`pictureNewAlt${row}`, fields.Alt],
  ]),
) as Record<`pictureAddress${number}`, z.ZodOptional<typeof imageAddress>> &
  Record<`pictureAlt${number}` | `pictureNewAlt${number}`, typeof fields.Alt> &
  Record<`picturePlace${number}`, typeof fields.Place> &
  Record<`pictureDelete${number}`, typeof fields.Delete>

export type PictureRows = { img?: string | undefined } & Partial<
  Record<`pictureAddress${number}` | `pictureDelete${number}`, string | undefined> &
    Record<`pictureAlt${number}` | `pictureNewAlt${number}`, string | null | undefined> &
    Record<`picturePlace${number}`, number | undefined>
>

/** The pictures of the form's rows in their new order, without the deleted ones. A picture that was moved goes before the one that is there. */
export function arrangePictures(form: PictureRows): Picture[] {
  return rows
    .flatMap((row) => {
      const img = row === 1 ? form.img : form[`pictureAddress${row}`]
      if (!img || form[`pictureDelete${row}`]) return []
      const place = form[`picturePlace${row}`] ?? row
      return [{ img, alt: form[`pictureAlt${row}`] ?? '', place, isMoved: place !== row }]
    })
    .sort((a, b) => a.place - b.place || Number(b.isMoved) - Number(a.isMoved))
    .map(({ img, alt }) => ({ img, alt }))
}

/** Refuses none, and too many. */
export function requirePictures(count: number, files: number): void {
  if (count + files === 0) throw new Refusal('invalid', '', { fields: { img: ['Leave at least one picture'] } })
  if (count + files <= maxPictures) return
  const left = maxPictures - count
  const message = `${tooManyPictures}: ${left > 0 ? `choose ${left} at most` : 'delete one first'}`
  throw new Refusal('invalid', '', { fields: { pictures: [message] } })
}
