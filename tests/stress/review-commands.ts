import { admin, at, command, expectOutcome, pick, type Command } from './command'

/** `presses` of the same form. */
export function review(customer: number, which: number, rating: number | null, presses: number): Command {
  return command(`review ${which} by ${customer} with ${rating} stars, ${presses} times`, async (model, session) => {
    const instrument = session.instruments[which]!
    const client = at(session, model, customer)
    const hasBought = model.orders.some(
      (order) =>
        order.customer === customer &&
        order.instrument === instrument &&
        (order.state === 'paid' || order.state === 'shipped') &&
        order.refunded < order.total,
    )
    const earlier = await session.env.query(
      `SELECT id FROM reviews WHERE user_id = '${client.who.id}' AND instrument_id = '${instrument}'`,
    )
    const form = { instrument, rating, submission: crypto.randomUUID() }
    const outcomes = await Promise.all(Array.from({ length: presses }, () => client.review(form)))
    for (const outcome of outcomes) expectOutcome(session, outcome, hasBought && earlier.length === 0, 'review')
  })
}

/** Hides or shows one of the reviews, which may be so already. */
export function moderate(index: number, intent: 'hide' | 'show'): Command {
  return command(`${intent} review ${index}`, async (model, session) => {
    const reviews = await session.env.query('SELECT id FROM reviews ORDER BY id')
    if (reviews.length === 0) return
    const { id } = pick(reviews, index)
    expectOutcome(session, await admin(session, model, 0).moderate(String(id), intent), true, intent)
  })
}

/** So many lines. */
export function specify(which: number, lines: number): Command {
  return command(`specify ${which} with ${lines} lines`, async (model, session) => {
    const instrument = session.instruments[which]!
    const attributes = Array.from({ length: lines }, (_, nth): [string, string] => [`Name ${nth}`, `${lines}`])
    const outcome = await admin(session, model, 0).specify(instrument, attributes)
    expectOutcome(session, outcome, model.onSale.has(instrument), 'specify')
    if (session.crashed || outcome.how !== 'done') return
    const [row] = await session.env.query(`SELECT attributes FROM instruments WHERE id = '${instrument}'`)
    if (row?.attributes !== JSON.stringify(attributes)) throw new Error(`stored ${String(row?.attributes)}`)
  })
}
