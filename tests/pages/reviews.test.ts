import type { HTMLElement } from 'node-html-parser'
import { reviews, users } from '../../app/db/schema'
import { addReview } from '../../app/store/reviews/reviews.server'
import { expect, test, type Shop, day } from '../support/shop'

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

test('refuses the sixth review of a day, preserves the input and lets others write', async ({ shop }) => {
  const { writes } = await writer(shop)
  for (let nth = 1; nth <= 5; nth++) expect((await writes(`Review ${nth}`)).status).toBe(200)
  const sixth = await writes('Review 6')
  expect(sixth.status).toBe(429)
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(sixth.text).toMatch(/You have written 5 reviews today\. Please wait \d+ (minute|hour)s? and try again\./)
  expect(sixth.page.querySelector('#description')?.textContent).toBe('Review 6')
  expect(await storedReviews(shop)).toHaveLength(5)
  expect((await (await writer(shop, 'Bea')).writes('Review 7')).status).toBe(200)
})

test('accepts 5 of 12 concurrent reviews, and more on the next day', async ({ shop }) => {
  const ada = await shop.customer()
  const noon = Math.floor(Date.now() / day) * day + day / 2
  const write = (at: number) => addReview({ ...shop.deps, now: () => at }, ada, { description: 'Fine.' })
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => write(noon)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(await storedReviews(shop)).toHaveLength(5)
  await expect(write(noon)).rejects.toMatchObject({
    code: 'too-many',
    message: 'You have written 5 reviews today. Please wait 12 hours and try again.',
    retryAfter: day / 2 / 1000,
  })
  await write(noon + day / 2)
})

test('creates and counts one review from concurrent posts of one form', async ({ shop }) => {
  const ada = await shop.customer()
  const now = () => day * 20_000
  const write = (submissionId: string, description = 'Fine.') =>
    addReview({ ...shop.deps, now }, ada, { description, submissionId })
  for (const form of ['form-one', 'form-two', 'form-three', 'form-four', 'form-five']) {
    const responses = await Promise.all(Array.from({ length: 6 }, () => write(form)))
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1)
  }
  expect(await storedReviews(shop)).toHaveLength(5)
  await expect(write('form-five', 'Other words.')).rejects.toMatchObject({ code: 'conflict' })
  await expect(write('form-six')).rejects.toMatchObject({ code: 'too-many' })
})

test('redirects an anonymous visitor to login and stores nothing', async ({ shop }) => {
  const login = `/login?redirectTo=${encodeURIComponent(path)}`
  expect((await shop.visitor().get(path)).path).toBe(login)
  expect((await shop.visitor().post(path, { description: 'Fine.' })).path).toBe(login)
  expect(await storedReviews(shop)).toEqual([])
})

test('shows the picture that the JSON names, small, round and late, over the initials', async ({ shop }) => {
  const { browser, writes } = await writer(shop, 'Ada King Lovelace')
  await writes('Fine.')
  const portraits = async (headers = {}) => {
    const pages = await Promise.all(['/home', '/reviews'].map((path) => shop.visitor().get(path, headers)))
    return pages.map(({ page }) => page.querySelector('.review .portrait')!)
  }
  const named = async () => {
    const list = await shop.visitor().fetch('/reviews', { headers: { accept: 'application/json' } })
    return (await list.json<{ img: string }[]>())[0]!.img
  }
  const shows = async (img: string) => {
    expect(await named()).toBe(img)
    for (const portrait of await portraits()) {
      expect([portrait.getAttribute('aria-hidden'), portrait.textContent]).toEqual(['true', 'AL'])
      expect(portrait.querySelector('img')!.attributes).toEqual({
        ...{ src: img, alt: '', width: '56', height: '56', loading: 'lazy', referrerPolicy: 'no-referrer' },
      })
    }
  }
  await shows('/art/avatar.svg')
  await browser.press(await browser.get('/dashboard/myProfile'), 'Update Profile', {
    image: 'https://ada.example/me.png',
  })
  await shows('https://ada.example/me.png')
  for (const portrait of await portraits({ 'save-data': 'on' })) expect(portrait.innerHTML).toBe('AL')
})

test('says where a review appears, before and after it is written', async ({ shop }) => {
  const rule =
    'appear on the home page, among the newest six, once your email is verified or you have paid for an order.'
  const eve = { ...(await shop.user({ name: 'Eve', verified: false })), password: '' }
  const browser = await shop.signedIn(eve)
  const notice = ({ page }: { page: HTMLElement }) => page.querySelector('main .notice')!.structuredText
  const before = await browser.get(path)
  expect(before.text).toContain('Your review appears among all reviews, with your name.')
  expect(notice(before)).toContain(rule)
  const after = await browser.press(before, 'Submit', { description: 'By Eve' })
  expect(after.text).toContain('Thank you for your time and feedback!')
  expect(notice(after)).toMatch(/^Your review of \d+ \w+ \d{4} is among all reviews\./)
  expect(notice(after)).toContain(rule)
  const onHome = async () => (await shop.visitor().get('/home')).text.includes('By Eve')
  expect([await onHome(), (await shop.visitor().get('/reviews')).text.includes('By Eve')]).toEqual([false, true])

  await shop.deps.db.update(users).set({ emailVerifiedAt: 1 })
  expect(notice(await browser.get(path))).toMatch(/is on the home page and among all reviews\./)
  expect(await onHome()).toBe(true)
  for (let nth = 0; nth < 6; nth++) await addReview(shop.deps, await shop.customer(), { description: 'Fine.' })
  expect(notice(await browser.get(path))).toContain('The home page has six newer ones.')
  expect(await onHome()).toBe(false)
  await shop.deps.db.update(reviews).set({ hiddenAt: 1, hiddenReason: 'Rude' })
  expect(notice(await browser.get(path))).toMatch(/^The shop has hidden your review of /)
})
