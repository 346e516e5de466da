import { isDeepStrictEqual } from 'node:util'
import { at, command, expectOutcome, isPaid, pick, staff, type Command } from './command'
import type { Details, ModelSession } from './model'

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

/** By somebody who has paid for it, maybe to get it all back. */
export function reviewBought(index: number, rating: number | null): Command {
  return command(`review what ${index} bought, with ${rating} stars`, async (model, session) => {
    const bought = model.orders.filter(isPaid)
    if (bought.length === 0) return
    const { customer, instrument } = pick(bought, index)
    await review(customer, session.instruments.indexOf(instrument), rating, 1).run(model, session)
  })
}

/** Hides or shows one of the reviews, which may be so already. */
export function moderate(index: number, intent: 'hide' | 'show'): Command {
  return command(`${intent} review ${index}`, async (model, session) => {
    const reviews = await session.env.query('SELECT id FROM reviews ORDER BY id')
    if (reviews.length === 0) return
    const { id } = pick(reviews, index)
    expectOutcome(session, await staff(session, model, 0).moderate(String(id), intent), true, intent)
  })
}

/** Changes one of them; the other stays. */
export function edit(which: number, change: Partial<Details>): Command {
  return command(`edit ${which}: ${JSON.stringify(change).slice(0, 60)}`, async (model, session) => {
    const instrument = session.instruments[which]!
    const before = model.details.get(instrument)!
    const outcome = await staff(session, model, 0).edit(instrument, change)
    expectOutcome(session, outcome, model.onSale.has(instrument), 'edit')
    const now = await detailsOf(session, instrument)
    const after = { ...before, ...change }
    const mayBe = outcome.how === 'done' ? [after] : session.crashed ? [before, after] : [before]
    if (!mayBe.some((each) => isDeepStrictEqual(now, each))) throw new Error(`stored ${JSON.stringify(now)}`)
    model.details.set(instrument, now)
  })
}

async function detailsOf({ env }: ModelSession, instrument: string): Promise<Details> {
  const [row] = await env.query(`SELECT attributes, pictures FROM instruments WHERE id = '${instrument}'`)
  const pictures = JSON.parse(String(row!.pictures)) as { img: string }[]
  return {
    attributes: JSON.parse(String(row!.attributes)) as Details['attributes'],
    pictures: pictures.map(({ img }) => img),
  }
}

/** What the page of an instrument says of its reviews, counted again. */
export function readRating(which: number): Command {
  return command(`rating ${which}`, async (model, session) => {
    const instrument = session.instruments[which]!
    const shown = await at(session, model, 0).rating(instrument)
    if (session.crashed) return
    if (shown.how !== 'done') throw new Error('The reviews cannot be read')
    const rows = await session.env.query(
      `SELECT rating FROM reviews WHERE instrument_id = '${instrument}' AND hidden_at IS NULL`,
    )
    const stars = rows.flatMap(({ rating }) => (rating === null ? [] : [Number(rating)]))
    const mean = stars.reduce((sum, each) => sum + each, 0) / stars.length
    const counted = { reviews: rows.length, average: stars.length === 0 ? null : Number(mean.toFixed(1)) }
    const { reviews, average } = shown.value
    const isClose = average === counted.average || Math.abs(average! - mean) <= 0.05 + 1e-9
    if (reviews !== counted.reviews || !isClose)
      throw new Error(`shows ${reviews} reviews of ${average} stars, and counted are ${JSON.stringify(counted)}`)
  })
}
