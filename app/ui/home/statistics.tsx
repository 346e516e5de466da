const figures = [
  { figure: '105+', label: 'Number of Products' },
  { figure: '543+', label: 'Orders Successfully Completed' },
  { figure: '222+', label: 'Satisfactory Feedbacks' },
]

export function Statistics() {
  return (
    <section className="section band split" aria-labelledby="statistics">
      <h2 id="statistics">Our Business is Growing</h2>
      <dl className="statistics">
        {figures.map(({ figure, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
