import type { ReactNode } from 'react'

export function Badge({ tone = 'plain', children }: { tone?: 'plain' | 'success' | 'error'; children: ReactNode }) {
  return <span className={tone === 'plain' ? 'badge' : `badge badge-${tone}`}>{children}</span>
}
