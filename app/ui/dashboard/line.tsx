import type { ReactNode } from 'react'

/** What does not fit ends with an ellipsis, except `end`. */
export function Line({ text, end }: { text: string; end?: ReactNode }) {
  return (
    <span className="line">
      <span>{text}</span> {end}
    </span>
  )
}
