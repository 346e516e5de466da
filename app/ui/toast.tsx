import { useEffect, useState } from 'react'
import { t } from '../i18n/language'

export interface ToastMessage {
  /** New for each toast, so that a repeated message is announced again (R37). */
  id: string
  message: string
  type: 'success' | 'error' | 'info'
  undo?: Undo | undefined
}

/** A form that posts the opposite of what the toast says. */
export interface Undo {
  action: string
  fields: [name: string, value: string][]
  /** Where more was changed than it takes back. */
  label?: string
}

/** Of its words. */
export const toastId = 'toast'

const marks = { success: '✓', error: '!', info: 'i' }

/** Shown for five seconds (spec section 9, R37). Must follow the site header, under which it sticks. */
export function Toast({ toast }: { toast?: ToastMessage | null }) {
  const [first] = useState(toast?.id)
  useEffect(() => {
    // It came with the page, see `markToast`.
    if (toast && toast.id === first) document.title = `${toast.message} · ${document.title}`
  }, [toast, first])
  return (
    // That of a new page has room of its own. One that comes later would move what is being read.
    <div className={toast && toast.id === first ? 'toast-rail toast-room' : 'toast-rail'} role="status">
      {toast && (
        <div key={toast.id} className={`toast toast-${toast.type}`}>
          <span aria-hidden="true">{marks[toast.type]}</span>
          <span id={toastId}>{toast.message}</span>
          {toast.undo && (
            <form className="toast-undo" method="post" action={toast.undo.action}>
              {toast.undo.fields.map(([name, value]) => (
                <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
              ))}
              <button>{toast.undo.label ?? t('Undo')}</button>
            </form>
          )}
        </div>
      )}
    </div>
  )
}
