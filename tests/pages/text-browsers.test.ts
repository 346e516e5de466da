import { parse } from 'node-html-parser'
import { addReview } from '../../app/store/reviews/reviews.server'
import { payAt } from '../support/hosted-page'
import { expect, test } from '../support/shop'
import type { PageResponse } from '../support/test-browser'
import { unpaidOrder } from '../support/unpaid-order'

/** As they send them on Debian 12, but for name and character sets. Neither Origin nor Sec-Fetch-Site, but a Referer (R27, R64). */
const browsers = {
  Links: { accept: '*/*', 'accept-language': 'en,*;q=0.1' },
  ELinks: { accept: '*/*', 'accept-language': 'en' },
  NetSurf: { accept: '*/*' },
  Lynx: {
    accept: 'text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01',
    'accept-language': 'en',
  },
  w3m: { accept: 'text/html, text/*;q=0.5, image/*, application/*, x-scheme-handler/*', 'accept-language': 'en;q=1.0' },
}

test.for(Object.entries(browsers))(
  '%s registers, orders, cancels, orders again and pays',
  async ([, sends], { shop }) => {
    const violin = await shop.sells({ name: 'Violin', stock: 10 })
    const browser = Object.assign(shop.visitor(), { sends })
    const follow = (page: PageResponse, link: string) =>
      browser.get(page.page.querySelector(`a[href="${link}"], tbody th a`)!.getAttribute('href')!)
    const home = await browser.get('/')
    const register = await follow(home, '/register')
    await browser.press(register, 'Register', { name: 'Zoë', email: 'zoe@example.com', password: 'correct horse' })
    const reviews = await browser.get('/reviews')
    expect(reviews.page.querySelector('h1')?.textContent).toBe('What our customers say')

    const order = { orderQuantity: '2', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
    const purchase = await follow(await browser.get('/home'), `/instruments/${violin}`)
    const wrong = await browser.press(purchase, 'Order Now', { ...order, customerPhone: '07700' })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Phone must be 11 digits')])
    const payment = await browser.press(purchase, 'Order Now', order)
    expect(payment.path).toMatch(/^\/dashboard\/myOrders\/payment\/[\w-]+$/)
    expect(await shop.stockOf(violin)).toBe(8)
    await browser.press(await browser.get('/dashboard/myOrders'), 'Cancel')
    expect(await shop.stockOf(violin)).toBe(10)

    const again = await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', order)
    const { location } = await browser.press(again, 'Pay on the secure page')
    await payAt(location!)
    const paid = await browser.get(again.path)
    expect(paid.text).toContain('paid')
    expect(await shop.stockOf(violin)).toBe(8)
  },
)

test('refuses a form that another site has sent through a text browser, with a page', async ({ shop }) => {
  const violin = await shop.sells({ stock: 10 })
  const browser = await shop.signedIn(await shop.customer())
  const page = await browser.get(`/instruments/${violin}`)
  const submissionId = page.page.querySelector('[name=submissionId]')!.getAttribute('value')!
  const fields = { submissionId, orderQuantity: '2', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  for (const referer of ['http://evil.example/', `${shop.deps.origin}.evil.example/`]) {
    const headers = { ...browsers.Links, referer }
    const body = new URLSearchParams(fields)
    const response = await browser.fetch(`/instruments/${violin}`, { method: 'POST', body, headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
  }
  expect(await shop.stockOf(violin)).toBe(10)
})

test.for(
  // What decides is the same for all roles: one of them goes through the pages of each.
  [
    ['NetSurf', 'visitor'],
    ['ELinks', 'visitor'],
    ['Links', 'visitor'],
    ['NetSurf', 'customer'],
    ['ELinks', 'admin'],
  ] as const,
)('in %s, no link and no form of any page of a %s leads to JSON', async ([name, who], { shop }) => {
  const { violin, customer, browser: buyer } = await unpaidOrder(shop)
  await shop.sells({ name: 'Oboe d’amore' })
  await addReview(shop.deps, customer, { description: 'Fine.' })
  const admin = who === 'admin' && (await shop.admin())
  const browser = admin ? await shop.signedIn(admin) : who === 'customer' ? buyer : shop.visitor()
  browser.sends = browsers[name]
  const answers = new Map<string, string>()
  const kinds = new Set<string>()
  const posts: { path: string; fields: [string, string][]; referer: string }[] = []
  const links = [{ path: '/', referer: '' }]
  const ask = async (path: string, referer: string, init: { method?: string; body?: URLSearchParams } = {}) => {
    const headers = { ...browsers[name], ...(referer && { referer: shop.deps.origin + referer }) }
    const response = await browser.fetch(path, { ...init, headers })
    const location = response.headers.get('location')
    answers.set(`${init.method ?? 'GET'} ${path}`, response.headers.get('content-type') ?? `to ${location}`)
    if (location?.startsWith('/')) links.push({ path: location.replace(/#.*/, ''), referer: path })
    return parse(await response.text())
  }
  for (const { path, referer } of links) {
    // One page for each kind of query is enough.
    const kind = path.replace(/=[^&]*/g, '')
    if (kinds.has(kind)) continue
    kinds.add(kind)
    const page = await ask(path, referer)
    for (const link of page.querySelectorAll('a[href^="/"], a[href^="?"]')) {
      const { pathname, search } = new URL(link.getAttribute('href')!, shop.deps.origin + path)
      links.push({ path: pathname + search, referer: path })
    }
    for (const form of page.querySelectorAll('form')) {
      const action = new URL(form.getAttribute('action') ?? '', shop.deps.origin + path)
      const button = form.querySelector('button')
      // Only its script sends it.
      if (!button) continue
      const named = [...form.querySelectorAll('input:not([type=checkbox]), textarea, select'), button]
      const fields = named.flatMap((field): [string, string][] =>
        field.getAttribute('name') ? [[field.getAttribute('name')!, field.getAttribute('value') ?? '']] : [],
      )
      if (form.getAttribute('method') === 'post')
        posts.push({ path: action.pathname + action.search, fields, referer: path })
      else links.push({ path: `${action.pathname}?${new URLSearchParams(fields)}`, referer: path })
    }
  }
  const isFinal = ({ path }: { path: string }) => /sign-out|sessions|close/.test(path)
  for (const { path, fields, referer } of posts.sort((a, b) => Number(isFinal(a)) - Number(isFinal(b))))
    await ask(path, referer, { method: 'POST', body: new URLSearchParams(fields) })
  const purchase = answers.get(`GET /instruments/${violin}`)
  expect(purchase).toMatch(who === 'visitor' ? /^to \/login\?/ : /^text\/html/)
  expect(answers.get('GET /reviews')).toMatch(/^text\/html/)
  expect(posts.length).toBeGreaterThan(2)
  // The description of the API, which the page of its keys links.
  answers.delete('GET /openapi.json')
  expect([...answers].filter(([, answer]) => answer.startsWith('application/json'))).toEqual([])
})

// They show what is `hidden`, as if it were not.
test('sends text browsers neither the select of submission ids nor a button for passkeys', async ({ shop }) => {
  const violin = await shop.sells()
  const browser = await shop.signedIn(await shop.customer())
  const accept = { accept: 'text/html' }
  const namesOn = async (path: string, headers: Record<string, string>) => {
    const page = parse(await (await browser.fetch(path, { headers: { ...accept, ...headers } })).text())
    return page.querySelectorAll('main [name]').map((field) => field.getAttribute('name'))
  }
  for (const path of [`/instruments/${violin}`, '/dashboard/addReview']) {
    expect(await namesOn(path, {})).toContain('submissionId')
    expect(await namesOn(path, {})).not.toContain('restoredSubmissionId')
    for (const header of ['upgrade-insecure-requests', 'sec-fetch-mode'])
      expect(await namesOn(path, { [header]: '1' }), header).toContain('restoredSubmissionId')
  }
  const login = parse(await (await shop.visitor().fetch('/login', { headers: accept })).text())
  expect(login.querySelector('main')!.structuredText).not.toContain('passkey')
})
