import type { ReactNode } from 'react'

interface NoticeProps {
  tone?: 'info' | 'success' | 'error'
  children: ReactNode
}

export function Notice({ tone = 'info', children }: NoticeProps) {
  const alert = tone === 'error' && { role: 'alert', tabIndex: -1 }
  return (
    <div className={tone === 'info' ? 'notice' : `notice notice-${tone}`} {...alert}>
      {children}
    </div>
  )
}
