import { useEffect, useState, type ChangeEvent } from 'react'
import { maxPictures } from '../../store/shared/limits'
import { Checkbox } from '../checkbox'
import { Field } from '../field'
import type { FormState } from '../form-state'
import { Select } from '../select'

export const pictureTypes = 'image/jpeg,image/png,image/webp,image/avif'

interface Chosen {
  name: string
  url: string
}

/** The files that were chosen, to be looked at before they are sent. */
export function useChosenFiles(): [Chosen[], (event: ChangeEvent<HTMLInputElement>) => void] {
  const [chosen, setChosen] = useState<Chosen[]>([])
  useEffect(() => () => chosen.forEach(({ url }) => URL.revokeObjectURL(url)), [chosen])
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
    setChosen(Array.from(currentTarget.files ?? [], (file) => ({ name: file.name, url: URL.createObjectURL(file) })))
  return [chosen, choose]
}

interface PictureRowsProps {
  form: FormState
  canUpload: boolean
  /** A file that was chosen for the first picture. */
  first: Chosen | undefined
}

/** The pictures that there are, with their order, and files to add. */
export function PictureRows({ form, canUpload, first }: PictureRowsProps) {
  const [chosen, choose] = useChosenFiles()
  const valueOf = (name: string) => form.field(name).initialValue ?? ''
  const addresses = [valueOf('img'), ...numbersFrom(2).map((row) => valueOf(`pictureAddress${row}`))]
  const count = addresses.findLastIndex(Boolean) + 1
  const shown = numbersFrom(1).filter((row) => row === 1 || addresses[row - 1])
  return (
    <fieldset className="breaks" aria-describedby="all-pictures-hint">
      <legend className="sr-only">All pictures</legend>
      <p id="all-pictures-hint" className="hint">
        At most {maxPictures}. The alt text says what a picture shows, for those who cannot see it. Lists show the
        first.
      </p>
      {shown.map((row) => (
        <div key={row} className="picture-row">
          <Thumbnail img={row === 1 && first ? first.url : addresses[row - 1]!} />
          <Field label={`Alt text ${row}`} {...form.field(`pictureAlt${row}`)} maxLength={200} />
          {row > 1 && <input type="hidden" name={`pictureAddress${row}`} defaultValue={addresses[row - 1]} />}
          {count > 1 && (
            <>
              <Select
                label={`Place ${row}`}
                options={numbersFrom(1)
                  .slice(0, count)
                  .map((place) => ({ value: String(place), text: String(place) }))}
                {...form.field(`picturePlace${row}`)}
                initialValue={valueOf(`picturePlace${row}`) || String(row)}
              />
              <Checkbox label={`Delete ${row}`} {...form.box(`pictureDelete${row}`, false)} />
            </>
          )}
        </div>
      ))}
      <Field
        label="Pictures"
        type="file"
        multiple
        accept={pictureTypes}
        {...form.field('pictures')}
        disabled={!canUpload}
        onChange={choose}
        hint="More of them, several at once: each at most 10 MB, 20 MB together. They come after the others."
      />
      {chosen.slice(0, maxPictures).map(({ name, url }, index) => (
        <div key={url} className="picture-row">
          <Thumbnail img={url} alt={name} />
          <Field label={`New alt text ${index + 1}`} {...form.field(`pictureNewAlt${index + 1}`)} maxLength={200} />
        </div>
      ))}
    </fieldset>
  )
}

function numbersFrom(first: number): number[] {
  return Array.from({ length: maxPictures + 1 - first }, (_, index) => index + first)
}

/** Of no picture: an empty plate. */
export function Thumbnail({ img, alt = '' }: { img: string; alt?: string }) {
  if (img === '') return <span className="product-image" />
  return <img className="product-image" src={img} alt={alt} width={80} height={80} />
}
