import { createElement, Fragment, type ReactNode } from 'react'
import { formatValue, template, type Names, type Text } from '../i18n/language'

/** A text with elements in place of its variables, such as links. */
export function rich<T extends Text>(text: T, values: Record<Names<T>, ReactNode>): ReactNode {
  const parts = template(text).split(/\{(\w+)\}/)
  return createElement(
    Fragment,
    null,
    ...parts.map((part, nth) => (nth % 2 === 0 ? part : valueOf(values[part as Names<T>]))),
  )
}

function valueOf(value: ReactNode): ReactNode {
  return typeof value === 'number' ? formatValue(value) : value
}
