const steps = [
  {
    title: 'Choose an instrument',
    text: 'You see its price, how many we have and the minimum order.',
  },
  {
    title: 'Order the minimum or more',
    text: 'Order at least the minimum, and at most what we have.',
  },
  { title: 'Pay by card', text: 'Pay now or later. You can cancel an order until it is paid.' },
  { title: 'We ship', text: 'We pack your paid order and send it to your address.' },
]

export function HowOrderingWorks() {
  return (
    <section className="section split" aria-labelledby="how-ordering-works">
      <div>
        <h2 id="how-ordering-works">How ordering works</h2>
        <p className="lead">Players, teachers and small shops order here, a few pieces at a time.</p>
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
