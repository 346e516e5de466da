import { t } from '../../i18n/language'
interface WhatHappensNextProps {
  /** Of `nextSteps`. */
  steps: string[]
}

export function WhatHappensNext({ steps }: WhatHappensNextProps) {
  if (steps.length === 0) return null
  return (
    <section aria-labelledby="next">
      <h2 id="next">{t('What happens next')}</h2>
      <ul className="ruled">
        {steps.map((step) => (
          <li key={step} className="wrap-anywhere">
            {step}
          </li>
        ))}
      </ul>
    </section>
  )
}
