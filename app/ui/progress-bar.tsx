import { useEffect } from 'react'
import { t } from '../i18n/language'

/** R31 */
export function ProgressBar({ busy }: { busy: boolean }) {
  useEffect(() => {
    if (!busy) return
    // A page that was left while it was busy, and that Back restores as it was, waits for a response that was for the next page.
    const restore = ({ persisted }: PageTransitionEvent) => persisted && location.reload()
    addEventListener('pageshow', restore)
    return () => removeEventListener('pageshow', restore)
  }, [busy])
  return busy ? <div className="progress" role="progressbar" aria-label={t('Loading')} /> : null
}
