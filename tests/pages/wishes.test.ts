import { changeStock } from '../../app/store/catalog/manage-instruments.server'
import { newId } from '../../app/store/shared/ids.server'
import { expect, test, type Shop } from '../support/shop'

const button = 'Email me when it is back'

const restock = (shop: Shop, id: string) =>
  changeStock(shop.deps, { id: 'test' }, id, { pieces: 4, direction: 'in', reason: null, submissionId: newId() })

test('leads a visitor from a sold out instrument through the login to a wish, and emails them once', async ({
  shop,
}) => {
  const id = await shop.sells({ name: 'Oboe', minimum: 4, stock: 3 })
  const ada = await shop.customer()
  const [visitor, other] = [shop.visitor(), shop.visitor()]
  const oboe = await visitor.get('/catalog/oboe')
  // One copy for everybody.
  expect((await other.get('/catalog/oboe')).html).toBe(oboe.html)
  const login = await visitor.press(oboe, button)
  expect(login.path).toBe(`/login?redirectTo=${encodeURIComponent(`/dashboard/wishes?instrument=${id}`)}`)
  const { email, password } = ada
  const wishes = await visitor.press(login, 'Login', { email, password })
  expect(wishes.text).toContain('Oboe: Only 3 left, below the minimum order.')
  const purchase = await visitor.get(`/instruments/${id}`)
  expect(purchase.html).toContain(`href="/dashboard/wishes?instrument=${id}"`)
  for (const [page, name] of [
    [wishes, 'Yes, email me once'] as const,
    [await visitor.get('/catalog/oboe'), button] as const,
  ]) {
    const after = await visitor.press(page, name)
    expect([after.status, after.path]).toEqual([200, '/dashboard/wishes'])
    expect(after.text).toContain('We will email you once, when Oboe is back.')
    expect(after.page.querySelectorAll('tbody tr')).toHaveLength(1)
  }
  expect((await visitor.get('/dashboard/myProfile')).html).toContain('href="/dashboard/wishes"')

  const admin = await shop.visitor().signIn(await shop.admin())
  await admin.press(await admin.get('/dashboard/manageProduct'), 'Save', { availableQuantity: '4' })
  expect((await other.get('/catalog/oboe')).text).not.toContain(button)
  const [sent, ...others] = (await shop.emailsTo(email)).filter(({ subject }) => subject === 'Back in stock: Oboe')
  expect(others).toEqual([])
  expect(sent!.text).toContain(`${visitor.origin}/catalog/oboe`)
  expect((await visitor.get('/dashboard/wishes')).text).toContain('You wait for no instrument')
  // A copy of the page from before.
  const late = await visitor.press(oboe, button)
  expect([late.path, late.text]).toEqual([`/instruments/${id}`, expect.stringContaining('Oboe is back already.')])
})

test('ends wishes on the page of the dashboard, and by the link in the email without a login', async ({ shop }) => {
  const names = ['Oboe', 'Viola', 'Rebec']
  const ids = await Promise.all(names.map((name) => shop.sells({ name, minimum: 4, stock: 0 })))
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  for (const name of names) await browser.press(await browser.get(`/catalog/${name.toLowerCase()}`), button)
  const left = ({ page }: { page: { querySelectorAll: (query: string) => { text: string }[] } }) =>
    page.querySelectorAll('main tbody th').map(({ text }) => text)
  const list = await browser.get('/dashboard/wishes')
  expect(left(list)).toEqual(names)
  const ended = await browser.press(list, 'Do not email me', {}, { row: 'Rebec' })
  expect(left(ended)).toEqual(['Oboe', 'Viola'])
  expect(left(await browser.press(list, 'Do not email me', {}, { row: 'Rebec' }))).toEqual(['Oboe', 'Viola'])

  await restock(shop, ids[0]!)
  await shop.cron()
  const email = (await shop.emailsTo(ada.email)).find(({ subject }) => subject === 'Back in stock: Oboe')!
  const { headers } = email as unknown as { headers: Record<string, string> }
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  const link = /^<(.*)>$/.exec(headers['List-Unsubscribe']!)![1]!
  expect(email.text).toContain(`(${link})`)
  const { pathname, search } = new URL(link)

  const stranger = shop.visitor()
  for (let nth = 0; nth < 3; nth++) expect((await stranger.get(pathname + search)).text).toContain('Viola')
  expect((await browser.get('/dashboard/wishes')).text).toContain('Viola')
  const done = await stranger.press(await stranger.get(pathname + search), 'Send me none of these emails')
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('Done. We send you no more')])
  expect((await browser.get('/dashboard/wishes')).text).toContain('You wait for no instrument')

  await browser.press(await browser.get('/catalog/viola'), button)
  // As an email program does.
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  expect((await fetch(link, { method: 'POST', redirect: 'manual', body })).status).toBe(200)
  expect((await browser.get('/dashboard/wishes')).text).toContain('You wait for no instrument')

  for (const wrong of ['/unsubscribe', '/unsubscribe?token=x']) {
    const page = await stranger.get(wrong)
    expect([page.status, page.text]).toEqual([404, expect.stringContaining('no longer valid')])
    expect((await stranger.post(wrong, {})).status).toBe(404)
  }
})

test('asks an unverified customer to verify the email first', async ({ shop }) => {
  const id = await shop.sells({ stock: 0 })
  const password = 'correct horse'
  const user = await shop.user({ password, verified: false })
  const browser = await shop.visitor().signIn({ ...user, password })
  const page = await browser.press(await browser.get(`/dashboard/wishes?instrument=${id}`), 'Yes, email me once')
  expect([page.status, page.text]).toEqual([409, expect.stringContaining('Please verify your email first')])
})
