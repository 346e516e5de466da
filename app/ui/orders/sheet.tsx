import type { ReactNode } from 'react'
import { PageHeader } from '../layout/page-header'
import { ReceiptLines } from './receipt-lines'

interface SheetProps {
  title: string
  lead?: string
  lines: [name: string, value: string][]
  from: { origin: string; mail: string }
  /** Not printed. */
  children: ReactNode
}

/** A page of an order to print. */
export function Sheet({ title, lead, lines, from, children }: SheetProps) {
  return (
    <article className="receipt">
      <PageHeader title={title} lead={lead} />
      <ReceiptLines lines={lines} />
      <p className="receipt-from">
        Cadenza, handcrafted instruments
        <br />
        {from.origin} · {from.mail}
      </p>
      {children}
    </article>
  )
}
