import { reviews } from '../../app/db/schema'
import { seedDemoShop } from '../../dev/demo'
import { refundOrder } from '../../app/store/payments/order-refunds.server'
import { programOf } from '../support/api-client'
import { aPaidOrder } from '../support/payments'
import { expect, test, type Shop } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

const path = '/dashboard/addReview'

async function aBuyer(shop: Shop) {
  const order = await aPaidOrder(shop)
  return { ...order, browser: await shop.signedIn(order.customer) }
}

const optionsOf = ({ page }: PageResponse, name: string) =>
  page.querySelectorAll(`select[name=${name}] option`).map((option) => option.getAttribute('value'))
const sectionOf = ({ page }: PageResponse) => page.querySelector('[aria-labelledby=reviews]')!
const dataOf = ({ page }: PageResponse) =>
  (JSON.parse(page.querySelector('script[type="application/ld+json"]')!.textContent) as object[])[0]

test('takes stars for an instrument that was bought, and shows them where it is sold', async ({ shop }) => {
  const { violin, id, browser } = await aBuyer(shop)
  const visitor = shop.visitor()
  const before = await visitor.get('/catalog/concert-violin')
  expect(sectionOf(before).text).toContain('Nobody has written about it yet.')
  expect(dataOf(before)).not.toHaveProperty('aggregateRating')

  const form = await browser.get(`${path}?about=${violin}`)
  expect(form.page.querySelector('option[selected]')!.getAttribute('value')).toBe(violin)
  expect(optionsOf(form, 'instrumentId')).toEqual(['', violin])
  const stars = form.page.querySelectorAll('[name=rating]').map((each) => each.getAttribute('value'))
  expect(stars).toEqual(['', '5', '4', '3', '2', '1'])
  const after = await browser.press(form, 'Submit', {
    description: 'It <b>sings</b>.',
    instrumentId: violin,
    rating: '4',
  })
  expect(after.text).toContain('Thank you for your time and feedback!')
  expect(after.text).toContain('on the home page and among')
  expect(optionsOf(after, 'instrumentId')).toEqual([''])

  // An older one of the shop, and one of another instrument.
  const horn = await shop.sells({ name: 'Horn' })
  await shop.deps.db.insert(reviews).values([
    { id: 'a', name: 'Bea', img: '/x', description: 'Kind.', createdAt: 1 },
    { id: 'b', name: 'Cy', img: '/x', description: 'Loud.', createdAt: 2, instrumentId: horn, rating: 1 },
  ])
  const page = await visitor.get('/catalog/concert-violin')
  const section = sectionOf(page)
  expect(section.querySelector('header')!.structuredText).toContain('★★★★☆ 4 of 5, 1 review')
  expect(section.querySelector('blockquote')!.text).toBe('“It <b>sings</b>.”')
  expect(section.querySelector('figcaption')!.text).toBe('Ada★★★★☆ 4 of 5 · Bought here')
  expect(dataOf(page)).toMatchObject({
    aggregateRating: { '@type': 'AggregateRating', ratingValue: '4', bestRating: 5, ratingCount: 1, reviewCount: 1 },
  })
  for (const [list, count] of [
    ['/', 3],
    ['/reviews', 3],
    [`/reviews?about=${violin}`, 1],
  ] as const) {
    const cards = (await visitor.get(list)).page.querySelectorAll('.review figcaption')
    expect([list, cards.length]).toEqual([list, count])
    const card = cards[0]!
    expect([list, card.text]).toEqual([list, 'Ada★★★★☆ 4 of 5 · Concert Violin · Bought here'])
    expect(card.querySelector('a')!.getAttribute('href')).toBe('/catalog/concert-violin')
  }
  await refundOrder(shop.deps, await shop.admin(), id, { amount: 500_00, reason: 'Late', submissionId: 'refund-one' })
  const refunded = await visitor.get('/catalog/concert-violin')
  expect(refunded.text).toContain('4 of 5, 1 review')
  expect(refunded.text).not.toContain('Bought here')
})

test('refuses other stars and another instrument beside the field, and keeps what was typed', async ({ shop }) => {
  const { browser } = await aBuyer(shop)
  const other = await shop.sells({ name: 'Oboe' })
  const form = await browser.get(path)
  const submissionId = form.page.querySelector('input[name=submissionId]')!.getAttribute('value')!
  const post = (fields: Record<string, string>) =>
    browser.post(path, { submissionId, description: 'Fine.', instrumentId: '', rating: '', ...fields })
  for (const [fields, error] of [
    [{ rating: '0' }, 'Stars must be a whole number from 1 to 5'],
    [{ rating: '6' }, 'Stars must be a whole number from 1 to 5'],
    [{ rating: '5 stars' }, 'Stars must be a whole number from 1 to 5'],
    [{ instrumentId: other }, 'Choose an instrument that you have bought'],
    [{ instrumentId: 'x'.repeat(5000) }, 'Choose an instrument that you have bought'],
    [{ instrumentId: `' OR 1=1 --` }, 'Choose an instrument that you have bought'],
  ] as const) {
    const refused = await post(fields)
    const [name] = Object.keys(fields)
    expect([refused.status, refused.page.querySelector(`#${name}-error`)?.text]).toEqual([422, error])
    expect(refused.page.querySelector('#description')!.textContent).toBe('Fine.')
  }
  const [one, two] = await Promise.all([post({ rating: '5' }), post({ rating: '5' })])
  expect([one.status, two.status]).toEqual([200, 200])
  expect((await shop.visitor().get('/reviews')).page.querySelectorAll('.review')).toHaveLength(1)
})

test('takes and shows instrument and stars in JSON, both optional', async ({ shop }) => {
  const { violin, customer } = await aPaidOrder(shop)
  const program = await programOf(shop, { ...customer, password: 'correct horse' })
  const post = (body: object) => program.call<{ error: { fields: object } }>('POST', '/reviews', body)
  expect((await post({ description: 'The shop is fine.' })).status).toBe(200)
  expect((await post({ description: 'It sings.', instrumentId: violin, rating: 5 })).status).toBe(200)
  expect((await program.call('GET', '/reviews')).body).toMatchObject([
    { description: 'It sings.', instrumentId: violin, rating: 5 },
    { description: 'The shop is fine.' },
  ])
  for (const [wrong, status, fields] of [
    [{ rating: 0 }, 422, ['rating']],
    [{ rating: '5' }, 422, ['rating']],
    [{ rating: null }, 422, ['rating']],
    [{ instrumentId: await shop.sells() }, 422, ['instrumentId']],
    [{ instrumentId: 7 }, 422, ['instrumentId']],
    [{ instrumentId: violin }, 409, ['instrumentId']],
  ] as const) {
    const refused = await post({ description: 'Fine.', ...wrong })
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([status, fields])
  }
})

test('shows stars of the demo shop in words, in the page as text too', async ({ shop }) => {
  await seedDemoShop(shop.database)
  const text = await shop.visitor().fetch('/catalog/cello-4-4', { headers: { accept: 'text/plain' } })
  expect(await text.text()).toMatch(/## Reviews\n+5 of 5, 1 review\n[^]*5 of 5/)
})
