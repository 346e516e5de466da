export interface ToastMessage {
  /** New for each toast, so that a repeated message is announced again (R37). */
  id: string
  message: string
  type: 'success' | 'error' | 'info'
}

const marks = { success: '✓', error: '!', info: 'i' }

/** Shown for five seconds (spec section 9, R37). Must follow the site header, under which it sticks. */
export function Toast({ toast }: { toast?: ToastMessage | null }) {
  return (
    <div className="toast-rail" role="status">
      {toast && (
        <p key={toast.id} className={`toast toast-${toast.type}`}>
          <span aria-hidden="true">{marks[toast.type]}</span>
          {toast.message}
        </p>
      )}
    </div>
  )
}
