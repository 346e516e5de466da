export interface ToastMessage {
  /** Of this one showing: the same words again are another toast, which is seen and read out again (R37). */
  id: string
  message: string
  type: 'success' | 'error' | 'info'
}

const marks = { success: '✓', error: '!', info: 'i' }

/**
 * One message for five seconds, top right at every width (spec section 9, R37). Goes directly after the site header: the rail
 * has no height, so the toast hangs below the header and sticks to the top once the header has scrolled away.
 */
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
