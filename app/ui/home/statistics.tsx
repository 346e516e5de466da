import { t } from '../../i18n/language'
const figures = [
  { figure: '105+', label: 'Number of Products' },
  { figure: '543+', label: 'Orders Successfully Completed' },
  { figure: '222+', label: 'Satisfactory Feedbacks' },
] as const

export function Statistics() {
  return (
    <section className="section band split" aria-labelledby="statistics">
      <h2 id="statistics">{t('Our Business is Growing')}</h2>
      <dl className="statistics">
        {figures.map(({ figure, label }) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
