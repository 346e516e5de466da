import { eq } from 'drizzle-orm'
import { instruments, settingsVersions } from '../../app/db/schema'
import { aPaidOrder } from '../support/payments'
import { expect, test, type Shop } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

/** Without the words of the demo shop. */
async function anEmptyShop(shop: Shop, vars: Record<string, string> = {}) {
  const { SELLER_NAME: _n, SELLER_ADDRESS: _a, SELLER_VAT_NUMBER: _v, VAT_PERCENT: _p, ...others } = shop.vars
  const contact = ['TECHNICAL_SUPPORT', 'SALES_QUESTIONS', 'ORDER_QUESTIONS', 'BUG_REPORT', 'PROFILE_URL']
  shop.vars = { ...Object.fromEntries(Object.entries(others).filter(([name]) => !contact.includes(name))), ...vars }
  await shop.changesSettings()
  return shop.signedIn(await shop.admin())
}

const listOf = ({ page }: PageResponse) => page.querySelector('.first-steps')
const left = (response: PageResponse) =>
  listOf(response)
    ?.querySelectorAll('li:not(.is-done) a')
    .map((link) => link.text)

test('an empty shop lists what is left, each item where it is done, and ticks it off by looking', async ({ shop }) => {
  shop.skipInvariants('a picture that nobody uploaded')
  const browser = await anEmptyShop(shop)
  const empty = await browser.get('/dashboard')
  expect(left(empty)).toHaveLength(13)
  const hrefs = listOf(empty)!.querySelectorAll('li a')
  for (const href of new Set(hrefs.map((link) => link.getAttribute('href')!.split('#')[0]!)))
    expect([href, (await browser.get(href)).status]).toEqual([href, 200])
  const settings = await browser.get('/dashboard/settings')
  for (const anchor of hrefs.map((link) => link.getAttribute('href')!.split('#')[1]).filter((id) => id !== undefined))
    expect([anchor, settings.page.querySelector(`#${anchor}`) !== null]).toEqual([anchor, true])

  await browser.press(settings, 'Save', {
    ...{ name: 'Rosewood', supportPhone: '+1 555 020 0001', deliveryTime: 'A week', returns: 'Within 14 days' },
    ...{ sellerName: 'Rosewood Ltd', sellerAddress: '1 Bow Lane' },
  })
  const { violin } = await aPaidOrder(shop)
  await shop.deps.db.update(instruments).set({ img: 'https://img.example/harp.jpg' }).where(eq(instruments.id, violin))
  await browser.press(await browser.get('/dashboard/settings/pages/new?starter=terms'), 'Publish')
  expect(left(await browser.get('/dashboard'))).toEqual([
    'Choose the families of your products',
    'Protect your account with a second factor',
    'Send emails from your own domain',
    'Take real cards: live keys of Stripe',
  ])
})

test('the families of a new shop are ticked off when an admin keeps them', async ({ shop }) => {
  const browser = await anEmptyShop(shop)
  const step = 'Choose the families of your products'
  const list = await browser.get('/dashboard')
  expect([left(list)?.includes(step), listOf(list)!.text]).toEqual([
    true,
    expect.stringContaining('Strings, Brass, Woodwind, Cases'),
  ])
  const kept = await browser.press(list, 'Keep')
  expect([kept.text.includes('The families stay as they are.'), left(kept)?.includes(step)]).toEqual([true, false])
  const settings = await browser.get('/dashboard/settings')
  expect(settings.text).toContain('Families of a new shop kept')
  await browser.press(settings, 'Save', { name: 'Rosewood' })
  expect(left(await browser.get('/dashboard'))).not.toContain(step)
})

test('the list goes away when it is put aside, for all admins, and keeps the settings', async ({ shop }) => {
  const browser = await anEmptyShop(shop)
  await browser.press(await browser.get('/dashboard/settings'), 'Save', { name: 'Rosewood' })
  const after = await browser.press(await browser.get('/dashboard'), 'Put this list aside')
  expect([after.text.includes('The list is put aside.'), listOf(after)]).toEqual([true, null])
  const other = await shop.signedIn(await shop.admin())
  expect(listOf(await other.get('/dashboard'))).toBeNull()
  const settings = await other.get('/dashboard/settings')
  expect(settings.page.querySelector('[name=name]')?.getAttribute('value')).toBe('Rosewood')
  expect(settings.text).toContain('List of first steps put aside')
  await other.press(settings, 'Save', { returns: 'Never' })
  expect(listOf(await other.get('/dashboard'))).toBeNull()
})

test('a customer sees no list, and cannot put it aside', async ({ shop }) => {
  const browser = await anEmptyShop(shop)
  const customer = await shop.signedIn(await shop.customer())
  expect(listOf(await customer.get('/dashboard'))).toBeNull()
  await customer.post('/dashboard?index', { firstSteps: 'aside' })
  expect(await shop.deps.db.$count(settingsVersions)).toBe(0)
  expect(listOf(await browser.get('/dashboard'))).not.toBeNull()
})
