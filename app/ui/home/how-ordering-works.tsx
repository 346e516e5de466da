import type { DeliveryTerms } from '../../store/orders/delivery-terms'
import { t } from '../../i18n/language'
import { rich } from '../rich'

const steps = [
  {
    title: 'Choose an instrument',
    text: 'You see its price, how many we have and the minimum order.',
  },
  {
    title: 'Order the minimum or more',
    text: 'Choose how many.',
  },
  { title: 'Pay by card', text: 'Pay now or later. You can cancel an order until it is paid.' },
  { title: 'We ship', text: 'We pack your paid order and send it to your address.' },
] as const

export function HowOrderingWorks({ terms: { time, returns } }: { terms: DeliveryTerms }) {
  /** What shoppers ask before they order. */
  const answers = [
    { question: t('Minimum orders'), answer: t('Each instrument has its own, from one piece up.') },
    {
      question: t('Delivery'),
      answer: time
        ? t('{time}, included in the price. We ship after you pay, and email you.', { time })
        : t('Included in the price. We ship after you pay, and email you.'),
    },
    { question: t('Returns'), answer: returns ?? t('Not what you expected? Write to us before you send it back.') },
  ]
  return (
    <section className="section split" aria-labelledby="how-ordering-works">
      <div>
        <h2 id="how-ordering-works">{t('How ordering works')}</h2>
        <p className="lead">{t('Players, teachers and small shops order here, a few pieces at a time.')}</p>
        <dl className="facts">
          {answers.map(({ question, answer }) => (
            <div key={question}>
              <dt>{question}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
          <div>
            <dt>{t('Questions')}</dt>
            <dd>{rich('{link} or call us.', { link: <a href="#contact">{t('Write to us')}</a> })}</dd>
          </div>
        </dl>
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
