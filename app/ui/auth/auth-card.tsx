import type { ReactNode } from 'react'
import { PageHeader } from '../layout/page-header'

interface AuthCardProps {
  title: string
  lead?: ReactNode
  children: ReactNode
}

export function AuthCard({ title, lead, children }: AuthCardProps) {
  return (
    <div className="auth">
      <div>
        <PageHeader title={title} lead={lead} />
        {children}
      </div>
      <aside className="auth-aside" aria-label="What you can do with an account">
        <img className="product-image" src="/art/about.svg" alt="" width={480} height={360} loading="lazy" />
        <h2>With an account you can</h2>
        <ul className="ruled">
          <li>Order instruments and cases</li>
          <li>Pay by card, now or later</li>
          <li>Cancel an unpaid order</li>
          <li>Write a review</li>
        </ul>
      </aside>
    </div>
  )
}
