import { auditLog } from '../../app/db/schema'
import { expect, test, type Shop } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

const fields = { title: 'Terms', slug: 'terms', body: 'Be **kind**.', footer: 'Terms of use' }

async function desk(shop: Shop) {
  const admin = await shop.admin()
  const browser = await shop.signedIn(admin)
  const add = async (typed: Record<string, string>, button = 'Publish') =>
    browser.press(await browser.get('/dashboard/settings/pages/new'), button, typed)
  return { admin, browser, add }
}

const footerLinks = ({ page }: PageResponse) =>
  page.querySelectorAll('.footer-columns a').map((link) => [link.text, link.getAttribute('href')])

test('publishes a page, links it in the footer under its word, in the sitemap and as text', async ({ shop }) => {
  const { browser, add } = await desk(shop)
  const visitor = shop.visitor()
  const before = await visitor.get('/home')
  expect(footerLinks(before)).toEqual([])
  expect(before.page.querySelector('.footer-columns')!.text).toContain('Terms of use')

  const draft = await add(fields, 'Save draft')
  expect(draft.text).toContain('Terms: the draft is saved.')
  expect((await visitor.get('/pages/terms')).status).toBe(404)
  expect(footerLinks(await visitor.get('/home'))).toEqual([])

  const published = await browser.press(draft, 'Publish')
  expect(published.text).toContain('Terms is published.')
  const page = await visitor.get('/pages/terms')
  expect(page.html).toContain('<p>Be <strong>kind</strong>.</p>')
  expect(page.html).toMatch(/<title>Terms · /)
  expect(page.page.querySelectorAll('script[src], link[rel=modulepreload]')).toEqual([])
  expect(footerLinks(page)).toEqual([['Terms of use', '/pages/terms']])
  for (const path of ['/home', '/login', '/nowhere'])
    expect(footerLinks(await visitor.get(path)), path).toEqual([['Terms of use', '/pages/terms']])
  expect(footerLinks(await browser.get('/dashboard'))).toEqual([['Terms of use', '/pages/terms']])
  expect(await (await visitor.fetch('/sitemap.xml')).text()).toContain(`${shop.deps.origin}/pages/terms</loc>`)
  const text = await visitor.fetch('/pages/terms', { headers: { accept: 'text/plain' } })
  expect([text.headers.get('content-type'), (await text.text()).includes('Be kind.')]).toEqual([
    'text/plain; charset=utf-8',
    true,
  ])

  const withdrawn = await browser.press(published, 'Withdraw')
  expect(withdrawn.text).toContain('Terms is a draft again.')
  expect((await visitor.get('/pages/terms')).status).toBe(404)
  expect(footerLinks(await visitor.get('/home'))).toEqual([])
  expect(await (await visitor.fetch('/sitemap.xml')).text()).not.toContain('/pages/terms')
  const events = (await shop.deps.db.select().from(auditLog)).filter(({ event }) => event.startsWith('page '))
  expect(events.map(({ event, note }) => [event, note])).toEqual([
    ['page saved', 'Terms /pages/terms'],
    ['page published', 'Terms /pages/terms'],
    ['page withdrawn', 'Terms /pages/terms'],
  ])
})

test('keeps a change of a published page from visitors until it is published', async ({ shop }) => {
  const { browser, add } = await desk(shop)
  const edit = await add(fields)
  const saved = await browser.press(edit, 'Save draft', { title: 'New terms', body: 'Be kinder.' })
  expect(saved.text).toContain('This draft has changes that visitors do not see yet.')
  expect((await browser.get('/dashboard/settings/pages')).text).toContain('Changes not published')
  const visitor = shop.visitor()
  expect((await visitor.get('/pages/terms')).text).toContain('Be kind.')
  await browser.press(saved, 'Publish')
  expect((await visitor.get('/pages/terms')).text).toContain('Be kinder.')
})

test('shows a preview and stores nothing', async ({ shop }) => {
  const { browser, add } = await desk(shop)
  const preview = await add(fields, 'Preview')
  expect(preview.page.querySelector('main .prose')!.innerHTML).toContain('Be <strong>kind</strong>.')
  expect(preview.page.querySelector('textarea[name=body]')!.text).toContain('Be **kind**.')
  expect((await browser.get('/dashboard/settings/pages')).page.querySelectorAll('main tbody tr')).toHaveLength(0)
  // What was previewed can be published from there.
  await browser.press(preview, 'Publish')
  expect((await shop.visitor().get('/pages/terms')).status).toBe(200)
})

test('leads from every former address to the page, and gives it to no other one', async ({ shop }) => {
  const { browser, add } = await desk(shop)
  const first = await add(fields)
  const second = await browser.press(first, 'Publish', { slug: 'our-terms' })
  await browser.press(second, 'Publish', { slug: 'terms-2027' })
  const visitor = shop.visitor()
  for (const [path, location] of [
    ['/pages/terms', '/pages/terms-2027'],
    ['/pages/our-terms', '/pages/terms-2027'],
    ['/pages/Terms-2027', '/pages/terms-2027'],
  ] as const) {
    const response = await visitor.fetch(path)
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 301, location])
  }
  const taken = await add({ ...fields, footer: '' })
  expect([taken.status, taken.text.includes('The page Terms has or had this address')]).toEqual([409, true])
  const place = await add({ ...fields, slug: 'other' })
  expect([place.status, place.text.includes('The page Terms stands there')]).toEqual([409, true])
  expect((await visitor.get('/pages/other')).status).toBe(404)
})

test('names a conflict of edits, keeps the text that was typed, and saves it over the other when it is sent again', async ({
  shop,
}) => {
  const { browser, add } = await desk(shop)
  const opened = await add(fields)
  const other = await shop.signedIn(await shop.admin())
  await other.press(await other.get(opened.path), 'Publish', { body: 'Theirs.' })
  const conflict = await browser.press(opened, 'Publish', { body: 'Mine.' })
  expect(conflict.status).toBe(409)
  expect(conflict.text).toMatch(/The Shopkeeper changed this page on .* Open the page in another tab to see theirs\./)
  expect(conflict.page.querySelector('textarea[name=body]')!.text).toContain('Mine.')
  const visitor = shop.visitor()
  expect((await visitor.get('/pages/terms')).text).toContain('Theirs.')
  await browser.press(conflict, 'Publish')
  expect((await visitor.get('/pages/terms')).text).toContain('Mine.')
})

test('refuses hostile and boundless texts with a clear error, and stores nothing', async ({ shop }) => {
  const { browser, add } = await desk(shop)
  for (const [typed, status, words] of [
    [{ body: 'a\n\n<script>alert(1)</script>' }, 422, 'Line 3: HTML cannot be shown.'],
    [{ body: '[a](javascript:alert(1))' }, 422, 'Line 1: a link leads to javascript:alert(1)'],
    [{ body: `${'>'.repeat(40)} deep` }, 422, 'too many lists or quotes'],
    [{ body: 'x'.repeat(50_001) }, 422, 'Text must be at most 50000 characters'],
    [{ body: 'x'.repeat(1024 * 1024) }, 413, 'That is too long. Go back and shorten it.'],
    [{ body: '' }, 422, 'Text is Required'],
    [{ title: 'T'.repeat(101) }, 422, 'Title must be at most 100 characters'],
    [{ slug: '../home' }, 422, 'An address has small letters, digits and hyphens'],
    [{ slug: 'Ä' }, 422, 'An address has small letters, digits and hyphens'],
    [{ slug: 'a'.repeat(81) }, 422, 'Address must be at most 80 characters'],
  ] as const) {
    const refused = await add({ ...fields, ...typed })
    expect([words, refused.status, refused.text.includes(words)]).toEqual([words, status, true])
  }
  expect((await browser.get('/dashboard/settings/pages')).page.querySelectorAll('main tbody tr')).toHaveLength(0)
})

test('offers the starters that the shop does not have yet, and deletes a draft', async ({ shop }) => {
  const { browser } = await desk(shop)
  const names = async () =>
    (await browser.get('/dashboard/settings/pages')).page.querySelectorAll('.rules a').map((link) => link.text)
  expect(await names()).toEqual(['Terms of use', 'Privacy policy', 'Cookie policy', 'Returns'])
  for (const name of ['terms', 'privacy', 'cookies', 'returns'])
    await browser.press(await browser.get(`/dashboard/settings/pages/new?starter=${name}`), 'Publish')
  expect(await names()).toEqual([])
  const visitor = shop.visitor()
  const home = await visitor.get('/home')
  expect(footerLinks(home)).toEqual([
    ['Terms of use', '/pages/terms-of-use'],
    ['Privacy policy', '/pages/privacy-policy'],
    ['Cookie policy', '/pages/cookie-policy'],
    ['Returns', '/pages/returns'],
  ])
  for (const [, path] of footerLinks(home)) expect([path, (await visitor.get(path!)).status]).toEqual([path, 200])

  const list = await browser.get('/dashboard/settings/pages')
  const returns = await browser.get(
    list.page
      .querySelectorAll('tbody th a')
      .find((link) => link.text === 'Returns')!
      .getAttribute('href')!,
  )
  expect(returns.text).not.toContain('Delete this page')
  const refused = await browser.post(returns.path, { intent: 'delete' })
  expect([refused.status, refused.text.includes('Withdraw this page before you delete it.')]).toEqual([409, true])
  const deleted = await browser.press(await browser.press(returns, 'Withdraw'), 'Delete for good')
  expect([deleted.path, deleted.text.includes('The page is deleted.')]).toEqual(['/dashboard/settings/pages', true])
  expect(await names()).toEqual(['Returns'])
})
