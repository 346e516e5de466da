import { t } from '../i18n/language'
/** R31 */
export function ProgressBar({ busy }: { busy: boolean }) {
  return busy ? <div className="progress" role="progressbar" aria-label={t('Loading')} /> : null
}
