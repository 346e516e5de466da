import { useEffect, useMemo, type ReactNode } from 'react'
import { familyOptions } from '../../store/catalog/managed-families'
import { descriptiveKeys, editedKeys, fieldOf, type FieldKey } from '../../store/catalog/fields'
import type { InstrumentDetails } from '../../store/catalog/instruments'
import { centsFromText, dollarsText, readWholeNumber } from '../../store/shared/money'
import { Field } from '../field'
import { Fold } from '../fold'
import { countRows, rowsToShow } from '../form-rows'
import type { FormState } from '../form-state'
import { Select } from '../select'
import { useHydrated } from '../../browser/use-hydrated'
import { AttributeRows, RowLabel } from './attribute-rows'
import { InstrumentCard } from './instrument-card'
import { PictureRows, pictureTypes, Thumbnail, useChosenFiles } from './picture-rows'
import { SaleFields, saleValues } from './sale-fields'

const rows = [1, 2, 3, 4, 5]

interface InstrumentFieldsProps {
  form: FormState
  /** The deployment has a bucket and an image service. */
  canUpload: boolean
  /** The fields of the stock. */
  children: ReactNode
}

/** First what changes most; the rest in groups, in the order of the form's schema. */
export function InstrumentFields({ form, canUpload, children }: InstrumentFieldsProps) {
  const valueOf = (name: string) => form.field(name).initialValue
  const addsRow = valueOf('addRow') !== undefined
  // Without scripts, the page after an error is a new one.
  const wasSent = form.fieldErrors.length > 0 || form.errors !== undefined || addsRow
  const isForgotten = !useHydrated() && wasSent
  const [[first], chooseFirst] = useChosenFiles()
  const pictureCount = countRows(valueOf, 'pictureAddress') + (valueOf('img') ? 1 : 0)
  // 'Add a row' is about the specification.
  const breakOf = (name: string) => (name === 'addRow' ? undefined : valueOf(name))
  const shown = rowsToShow(breakOf, ['breakFrom', 'breakPrice'], rows.length)
  return (
    <>
      {/* Enter in a field presses the first button, which must not be 'Add a row'. */}
      <button className="sr-only" tabIndex={-1} aria-hidden="true" />
      <OwnField form={form} name="name" />
      <OwnField form={form} name="family" />
      <Field label="Price" {...form.field('price')} inputMode="decimal" hint="In dollars, like 1,450.00" required />
      <OwnField form={form} name="minQuantity" />
      {children}
      <div className="first-picture">
        <Thumbnail img={first?.url ?? valueOf('img') ?? ''} />
        <Field
          label="Picture"
          type="file"
          accept={pictureTypes}
          onChange={chooseFirst}
          {...form.field('picture')}
          disabled={!canUpload}
          hint={
            !canUpload
              ? 'Files cannot be uploaded here. Enter an address.'
              : isForgotten
                ? 'If you chose a file, choose it again: the browser forgets it when the page is shown again.'
                : 'JPEG, PNG, WebP or AVIF, at most 10 MB.'
          }
        />
        <Field
          label="Image URL"
          {...form.field('img')}
          hint="In place of a file: a link that starts with https://, or a path like /plates/oboe.svg."
        />
        <Fold
          title={`More pictures, alt texts${pictureCount > 1 ? ` (${pictureCount})` : ''}`}
          isOpen={pictureCount > 1 || form.fieldErrors.some(({ name }) => /^picture./.test(name))}
        >
          <PictureRows form={form} canUpload={canUpload} first={first} />
        </Fold>
      </div>
      <SaleFields form={form} />
      <Fold title="Description and details">
        {descriptiveKeys.map((key) => (
          <OwnField key={key} form={form} name={key} />
        ))}
      </Fold>
      <Fold title={`Specification (${countRows(valueOf, 'attributeName')})`}>
        <AttributeRows form={form} />
      </Fold>
      <Fold title={`Price breaks (${countRows(valueOf, 'breakFrom')}) and low stock`}>
        <fieldset className="breaks" aria-describedby="breaks-hint">
          <legend className="sr-only">Price breaks</legend>
          <p id="breaks-hint" className="hint">
            From this many pieces, above the minimum quantity, each costs so many dollars. Rows may be empty.
          </p>
          <div aria-hidden="true">
            <b>From (pieces)</b> <b>Price each</b>
          </div>
          <BreakRows form={form} rows={rows.slice(0, shown)} />
          {shown < rows.length && (
            <details>
              <summary>More price breaks</summary>
              <BreakRows form={form} rows={rows.slice(shown)} />
            </details>
          )}
        </fieldset>
        <Field
          label="Low stock at"
          {...form.field('lowStock')}
          inputMode="numeric"
          hint="Email me when stock falls to this many pieces. Empty: no email."
        />
      </Fold>
    </>
  )
}

/** As `fields` declares it. */
function OwnField({ form, name }: { form: FormState; name: FieldKey }) {
  const { label, type, choices, isRequired = false } = fieldOf(name)
  const field = { label, ...form.field(name) }
  if (type === 'age') return <Field {...field} hint="In years, like 9 to 11, or 12+ for 12 and older." />
  if (type === 'text') return <Field {...field} rows={6} />
  if (type !== 'choice')
    return <Field {...field} inputMode={type === 'count' ? 'numeric' : undefined} required={isRequired} />
  const options = choices && Object.entries({ '': 'Not said', ...choices }).map(([value, text]) => ({ value, text }))
  return <Select {...field} options={options ?? familyOptions('No family')} />
}

/** Those that are filled in and an empty one stand open; the others unfold without a request, so that nothing typed is lost. */
function BreakRows({ form, rows }: { form: FormState; rows: number[] }) {
  return rows.map((row) => (
    <div key={row}>
      <Field
        label={<RowLabel>{`Break ${row} from`}</RowLabel>}
        {...form.field(`breakFrom${row}`)}
        inputMode="numeric"
      />
      <Field
        label={<RowLabel>{`Break ${row} each`}</RowLabel>}
        {...form.field(`breakPrice${row}`)}
        inputMode="decimal"
      />
    </div>
  ))
}

export function instrumentValues(instrument: InstrumentDetails): Record<string, string> {
  const { alt, priceCents, priceBreaks, attributes, pictures } = instrument
  const breaks = priceBreaks.flatMap(({ from, priceCents }, index) => [
    [`breakFrom${index + 1}`, String(from)],
    [`breakPrice${index + 1}`, dollarsText(priceCents)],
  ])
  const rows = attributes.flatMap(([name, value], index) => [
    [`attributeName${index + 1}`, name],
    [`attributeValue${index + 1}`, value],
  ])
  const further = pictures.flatMap(({ img, alt }, index) => [
    [`pictureAddress${index + 2}`, img],
    [`pictureAlt${index + 2}`, alt],
  ])
  return {
    ...Object.fromEntries(editedKeys.map((key) => [key, String(instrument[key] ?? '')])),
    ...{ price: dollarsText(priceCents), pictureAlt1: alt, ...saleValues(instrument) },
    ...(Object.fromEntries([...breaks, ...rows, ...further]) as Record<string, string>),
  }
}

/** `picture`: the chosen file, which goes before an address. Without either the picture is empty. */
export function InstrumentPreview({ values, picture }: { values: Record<string, string>; picture: File | undefined }) {
  const file = useMemo(() => picture && URL.createObjectURL(picture), [picture])
  useEffect(() => (file === undefined ? undefined : () => URL.revokeObjectURL(file)), [file])
  const price = Math.max(centsFromText(values.price ?? '') ?? 0, 0)
  return (
    <aside className="preview" aria-label="Preview">
      <p className="kicker">How it will look in the shop</p>
      <InstrumentCard
        isPreview
        instrument={{
          ...{ id: 'preview', slug: 'preview' },
          name: values.name || 'New product',
          brand: values.brand ?? null,
          img: file ?? (isImageUrl(values.img) ? values.img : ''),
          description: values.description ?? '',
          ...{ priceCents: price, regularCents: price, saleUntilAt: null, priorCents: null },
          minQuantity: quantityFrom(values.minQuantity),
          availableQuantity: quantityFrom(values.availableQuantity),
        }}
      />
    </aside>
  )
}

function isImageUrl(img: string | undefined): img is string {
  return /^(https:\/\/[^\s.]+\.\S+|\/[^/\\\s]\S*\.\w+)$/.test(img ?? '')
}

function quantityFrom(text: string | undefined): number {
  return Math.max(readWholeNumber(text ?? '') ?? 0, 0)
}
