import { t } from '../../i18n/language'

const steps = [
  {
    title: 'Choose an instrument',
    text: 'You see its price, how many we have and the minimum order.',
  },
  {
    title: 'Order the minimum or more',
    text: 'Choose how many.',
  },
  {
    title: 'Pay by card',
    text: 'Pay while we reserve your pieces: your order says until when. You can cancel it until it is paid.',
  },
  { title: 'We ship', text: 'We pack your paid order, send it to your address and email you.' },
] as const

export function HowOrderingWorks() {
  return (
    <section className="section split" aria-labelledby="how-ordering-works">
      <div>
        <h2 id="how-ordering-works">{t('How ordering works')}</h2>
        <p className="lead">{t('Players, teachers and small shops order here, a few pieces at a time.')}</p>
      </div>
      <ol className="steps">
        {steps.map(({ title, text }) => (
          <li key={title}>
            <h3>{t(title)}</h3>
            <p>{t(text)}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
