import type { ReactNode } from 'react'

/** The form whose checkboxes stand in the rows of a table. */
export const selectionForm = 'selected'

interface SelectionBarProps {
  /** Where it posts to. */
  action: string
  /** What the list shows, for the buttons that open it elsewhere. */
  fields: [name: string, value: string][]
  /** The same page with all ticked, or with none. */
  selectAll: { href: string; isOn: boolean }
  children: ReactNode
}

/** Below the list and always in view. `select-all.ts`, inline in the page, turns the link into a checkbox. */
export function SelectionBar({ action, fields, selectAll, children }: SelectionBarProps) {
  return (
    <form id={selectionForm} className="desk-bar no-print" method="post" action={action}>
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <a className="desk-bar-all" href={selectAll.href} data-select-all={selectionForm}>
        {selectAll.isOn ? 'Select none' : 'Select all'}
      </a>{' '}
      <label className="desk-bar-all" hidden>
        <input type="checkbox" aria-label="Select all" /> <span>All</span>
      </label>{' '}
      {children}
    </form>
  )
}
