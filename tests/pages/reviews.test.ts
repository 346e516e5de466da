import { reviews } from '../../app/db/schema'
import { expect, test, type Shop } from '../support/shop'

const path = '/dashboard/addReview'

const storedReviews = (shop: Shop) => shop.deps.db.select().from(reviews)

async function writer(shop: Shop, name = 'Ada') {
  const customer = await shop.customer({ name })
  const browser = await shop.visitor().signIn(customer)
  const writes = async (description: string) => browser.press(await browser.get(path), 'Submit', { description })
  return { customer, browser, writes }
}

test('thanks for a review and shows it with its author’s name', async ({ shop }) => {
  const { customer, browser, writes } = await writer(shop, 'Zoë 李')
  const after = await writes('  The bow sings.\r\nThe case does not. 🎻 ')
  expect(after.path).toBe(path)
  expect(after.text).toContain('Thank you for your time and feedback!')
  expect(after.page.querySelector('#description')?.textContent).toBe('')
  expect(await storedReviews(shop)).toMatchObject([
    {
      userId: customer.id,
      name: 'Zoë 李',
      img: '/art/avatar.svg',
      description: 'The bow sings.\nThe case does not. 🎻',
    },
  ])
  const card = (await browser.get('/')).page.querySelector('.review')!
  expect(card.querySelector('blockquote')?.textContent).toBe('“The bow sings.\nThe case does not. 🎻”')
  expect(card.querySelector('figcaption')?.textContent).toBe('Zoë 李')
})

test('answers the review form with 303, so that a reload adds nothing', async ({ shop }) => {
  const { browser } = await writer(shop)
  const headers = { origin: shop.vars.SHOP_ORIGIN! }
  const body = new URLSearchParams({ description: 'Fine.' })
  const response = await browser.fetch(path, { method: 'POST', body, headers })
  expect([response.status, response.headers.get('location')]).toEqual([303, path])
})

test.for([
  ['nothing', '', 'Review is Required'],
  ['white space', ' \r\n ', 'Review is Required'],
  ['1001 characters', 'x'.repeat(1001), 'Review must be at most 1000 characters'],
  ['100 kB', 'x'.repeat(100_000), 'Review must be at most 1000 characters'],
  ['a NUL', 'a\u0000b', 'Review contains characters that are not allowed'],
  ['an escape', 'a\u001b[31mb', 'Review contains characters that are not allowed'],
] as const)('refuses a review of %s beside the field and preserves the input', async ([, typed, message], { shop }) => {
  const { writes } = await writer(shop)
  const response = await writes(typed)
  expect(response.status).toBe(422)
  expect(response.page.querySelector('#description-error')?.textContent).toBe(message)
  if (typed.trim() && !typed.includes('\u0000')) {
    expect(response.page.querySelector('#description')?.textContent).toBe(typed)
  }
  expect(await storedReviews(shop)).toEqual([])
})

test('escapes HTML in a name or a review', async ({ shop }) => {
  const { browser, writes } = await writer(shop, '<i>Ada</i>')
  await writes('<script>alert(1)</script><b>bold</b> & "quoted"')
  const home = await browser.get('/')
  const card = home.page.querySelector('.review')!
  expect(card.querySelectorAll('i, b, script')).toEqual([])
  expect(card.querySelector('blockquote')?.textContent).toBe('“<script>alert(1)</script><b>bold</b> & "quoted"”')
  expect(card.querySelector('figcaption')?.textContent).toBe('<i>Ada</i>')
})

test('ignores name, image, author and time in a review form', async ({ shop }) => {
  const { customer, browser } = await writer(shop)
  const other = await shop.customer({ name: 'Bea' })
  const fields = { id: 'mine', userId: other.id, name: 'Bea', img: 'https://evil.example/x.png', createdAt: '9' }
  await browser.post(path, { ...fields, description: 'Fine.' })
  const [review] = await storedReviews(shop)
  expect(review).toMatchObject({ userId: customer.id, name: 'Ada', img: '/art/avatar.svg' })
  expect(review!.id).not.toBe('mine')
  expect(review!.createdAt).toBeGreaterThan(9)
})

test('redirects an anonymous visitor to login and stores nothing', async ({ shop }) => {
  const login = `/login?redirectTo=${encodeURIComponent(path)}`
  expect((await shop.visitor().get(path)).path).toBe(login)
  expect((await shop.visitor().post(path, { description: 'Fine.' })).path).toBe(login)
  expect(await storedReviews(shop)).toEqual([])
})
