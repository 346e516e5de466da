import type { ReactNode } from 'react'

export function SectionHeader({ title, id, children }: { title: string; id?: string; children?: ReactNode }) {
  return (
    <header className="section-header">
      <h2 id={id}>{title}</h2>
      {children}
    </header>
  )
}
