import { useEffect, useState, type MouseEvent, type ReactNode } from 'react'
import { maxAttributes } from '../../store/catalog/attributes'
import { Button } from '../button'
import { Field } from '../field'
import { rowsToShow } from '../form-rows'
import type { FormState } from '../form-state'
import { focusOn } from '../../browser/focus'
import { useHydrated } from '../../browser/use-hydrated'

/** The specification: rows that may be empty. */
export function AttributeRows({ form }: { form: FormState }) {
  const [added, setAdded] = useState(0)
  const isHydrated = useHydrated()
  const valueOf = (name: string) => form.field(name).initialValue
  const shown = rowsToShow(valueOf, ['attributeName', 'attributeValue'], maxAttributes)
  const count = Math.max(shown, Math.min(shown + added, maxAttributes))
  // Without scripts, the address of the form leads there.
  useEffect(() => {
    if (added > 0) focusOn(document.getElementById(`attributeName${count}`))
  }, [added, count])
  /** What was typed stays, and so does a file. */
  function addRow(event: MouseEvent) {
    if (!isHydrated) return
    event.preventDefault()
    setAdded(added + 1)
  }
  return (
    <fieldset className="breaks" aria-describedby="specification-hint">
      <legend className="sr-only">Specification</legend>
      <p id="specification-hint" className="hint">
        What players compare, like Body: Maple or String length: 328 mm. At most {maxAttributes} rows, in this order.
        Rows may be empty.
      </p>
      <div aria-hidden="true">
        <b>Property</b> <b>Value</b>
      </div>
      {Array.from({ length: count }, (_, index) => index + 1).map((row) => (
        <div key={row}>
          <Field label={<RowLabel>{`Property ${row}`}</RowLabel>} {...rowField(form, 'attributeName', row)} />
          <Field label={<RowLabel>{`Value ${row}`}</RowLabel>} {...rowField(form, 'attributeValue', row)} />
        </div>
      ))}
      {count < maxAttributes && (
        <p className="actions">
          <Button
            variant="quiet"
            name="addRow"
            value={count + 1}
            formAction={`#attributeName${count + 1}`}
            onClick={addRow}
          >
            Add a row
          </Button>
        </p>
      )}
    </fieldset>
  )
}

function rowField(form: FormState, name: string, row: number) {
  return { ...form.field(`${name}${row}`), name, id: `${name}${row}` }
}

/** Those who see the rows read what stands above them. */
export function RowLabel({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>
}
