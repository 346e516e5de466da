import type { ReactNode } from 'react'
import { PageHeader } from '../layout/page-header'
import { ReceiptLines } from './receipt-lines'
import { shopName, tagline } from '../../shop-name'
import { translate } from '../../i18n/translate'

interface SheetProps {
  title: string
  /** Of its heading: on a page of several, 2. */
  level?: 1 | 2 | undefined
  lead?: string
  lines: [name: string, value: string][]
  from: { origin: string; mail: string }
  /** Not printed. */
  children?: ReactNode
}

/** A page of an order to print. */
export function Sheet({ title, level = 1, lead, lines, from, children }: SheetProps) {
  return (
    <article className="receipt">
      {level === 1 ? <PageHeader title={title} lead={lead} /> : <h2>{title}</h2>}
      <ReceiptLines lines={lines} />
      <p className="receipt-from">
        {[shopName, translate(tagline)].filter(Boolean).join(', ')}
        <br />
        {from.origin} · {from.mail}
      </p>
      {children}
    </article>
  )
}
