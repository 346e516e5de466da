import type { DeliveryTerms } from '../../store/orders/delivery-terms'

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
]

export function HowOrderingWorks({ terms: { time, returns } }: { terms: DeliveryTerms }) {
  /** What shoppers ask before they order. */
  const answers = [
    { question: 'Minimum orders', answer: 'Each instrument has its own, from one piece up.' },
    {
      question: 'Delivery',
      answer: `${time ? `${time}, included` : 'Included'} in the price. We ship after you pay, and email you.`,
    },
    { question: 'Returns', answer: returns ?? 'Not what you expected? Write to us before you send it back.' },
  ]
  return (
    <section className="section split" aria-labelledby="how-ordering-works">
      <div>
        <h2 id="how-ordering-works">How ordering works</h2>
        <p className="lead">Players, teachers and small shops order here, a few pieces at a time.</p>
        <dl className="facts">
          {answers.map(({ question, answer }) => (
            <div key={question}>
              <dt>{question}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
          <div>
            <dt>Questions</dt>
            <dd>
              <a href="#contact">Write to us</a> or call us.
            </dd>
          </div>
        </dl>
      </div>
      <ol className="steps">
        {steps.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
