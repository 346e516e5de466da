export interface ToastMessage {
  message: string
  type: 'success' | 'error' | 'info'
}

const marks = { success: '✓', error: '!', info: 'i' }

/**
 * One message for five seconds, top right (spec section 9). Goes directly after the site header: the rail has no height,
 * so the toast hangs below the header and sticks to the top once the header has scrolled away.
 */
export function Toast({ toast }: { toast?: ToastMessage | null }) {
  return (
    <div className="toast-rail" role="status">
      {toast && (
        <p key={toast.message} className={`toast toast-${toast.type}`}>
          <span aria-hidden="true">{marks[toast.type]}</span>
          {toast.message}
        </p>
      )}
    </div>
  )
}
