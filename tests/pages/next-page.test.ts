import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { nextOrderNumber } from '../../app/store/orders/orders.server'
import { apiPaths } from '../../app/api/endpoints/index.server'
import { expect, test, type Customer, type Shop } from '../support/shop'
import { indexAll } from '../support/search'
import type { PageResponse, TestBrowser } from '../support/test-browser'

/** The entries of a day begin with its first millisecond and end with its last one. */
const march = Date.UTC(2026, 2, 1)
const quarterDay = 6 * 60 * 60 * 1000

/** Everything is numbered in the order in which it came, seven of them at nearly the same time. */
async function fill(shop: Shop, ada: Customer, admin: Customer): Promise<void> {
  const at = sql`${march} + n / 7 * ${quarterDay} + iif(n % 7, ${quarterDay - 1}, 0)`
  const id = sql`printf('%03d', n)`
  const many = (rows: number) =>
    sql`WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${rows})`
  const later = Date.now() + 86_400_000
  for (const statement of [
    sql`${many(110)} INSERT INTO users (id, email, name, created_at)
      SELECT 'u' || ${id}, 'u' || n || '@example.com', iif(n % 2, 'Even', 'Odd') || 'body no. ' || n, ${at} FROM many`,
    sql`${many(110)} INSERT INTO instruments
        (id, name, slug, family_slug, img, price_cents, available_quantity, min_quantity, listed_at)
      SELECT 'i' || ${id}, iif(n % 2, 'Kazoo', 'Gong') || ' no. ' || n || '!', 'no-' || n, iif(n % 2, 'brass', 'strings'), '/plates/oboe.svg',
        iif(n > 104, 20000, 10000), iif(n = 3, 0, 500), 1, ${at} FROM many`,
    sql`${many(110)} INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity,
        total_cents, customer_name, customer_email, customer_address, customer_phone, created_at, hold_until, moved_by)
      SELECT 'o' || ${id}, ${nextOrderNumber} + n - 1, iif(n % 2, ${ada.id}, 'u' || ${id}), 'i001', ${id}, iif(n % 2, 'Kazoo', 'Gong') || ' no. ' || n || '!', 10000, 1, 10000,
        'Somebody', iif(n % 2, ${ada.email}, 'u' || n || '@example.com'), '1 Bow Lane', '07700 900123', ${at}, NULL, 'test' FROM many`,
    sql`INSERT INTO sellers (name, address, vat_rate, created_at) VALUES ('Cadenza', '1 Bow Lane', 0, 1)`,
    sql`INSERT INTO payment_attempts (order_id, attempt, kind, state, provider_id, created_at, expires_at, ask_at)
      SELECT id, 1, 'checkout', 'closed', 'cs_' || id, 1, 1, 0 FROM orders`,
    sql`UPDATE orders SET state = 'paid', paid_at = ${march}, transaction_id = 'pi_' || id WHERE product_name LIKE 'Kazoo%'`,
    sql`${many(60)} INSERT INTO reviews (id, user_id, name, img, description, created_at)
      SELECT 'r' || ${id}, 'u' || ${id}, 'Somebody', '/art/avatar.svg', 'Sings, no. ' || n, ${at} FROM many`,
    sql`${many(60)} INSERT INTO contact_messages (id, name, email, message, copy, created_at, done_at)
      SELECT 'm' || ${id}, 'Somebody', 'x@example.com', 'Hello, no. ' || n, 0, ${at}, iif(n % 2, 5, NULL) FROM many`,
    sql`${many(60)} INSERT INTO quotes (id, customer_id, instrument_id, submission_id, wanted_quantity, created_at)
      SELECT 'q' || ${id}, ${ada.id}, 'i' || ${id}, 'q' || n, 2, ${at} FROM many`,
    sql`UPDATE quotes SET state = 'offered', quantity = 2, unit_price_cents = 9000, valid_until = ${later}, answered_at = ${march},
      answered_by = ${admin.id} WHERE substr(id, -1) IN ('1', '3', '5', '7', '9')`,
    sql`${many(60)} INSERT INTO audit_log (at, event, actor, instrument_id, note)
      SELECT ${at}, 'instrument changed', 'test', 'i110', 'no. ' || n FROM many`,
    sql`UPDATE emails SET sent_at = 1`,
    sql`${many(60)} INSERT INTO discounts (code, percent, from_at, instruments, created_at)
      SELECT 'CODE-' || ${id}, 10, 1, json_array('i' || ${id}), ${at} FROM many`,
    sql`INSERT INTO webhook_endpoints (id, url, secret, events, state, created_at)
      VALUES ('w', 'https://warehouse.example/', '', ' order.paid ', 'off', 1)`,
    sql`${many(60)} INSERT INTO webhook_deliveries (id, endpoint_id, type, subject, payload, created_at, state, answer)
      SELECT n, 'w', 'order.paid', 'review:1', '{}', ${at}, 'delivered', 'no. ' || n FROM many`,
  ])
    await shop.deps.db.run(statement)
  await indexAll(shop.deps)
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const odd = (all: number[]) => all.filter((n) => n % 2 === 1)
const even = (all: number[]) => all.filter((n) => n % 2 === 0)
/** In stock, for $100 at most. */
const cheapBrass = odd(upTo(104)).filter((n) => n !== 3)
const newestFirst = (all: number[]) => [...all].reverse()

interface List {
  /** The file in `app/routes`, or the call of the API. */
  of: string
  path: string
  who: 'visitor' | 'ada' | 'admin'
  entry: string
  expected: number[]
  /** Opens a question about a row. */
  question?: string
}

const row = 'main tbody tr'
const listed = '.entries > li'
const period = 'from=2026-03-02&to=2026-03-03'
const inPeriod = (all: number[]) => all.filter((n) => n >= 28 && n < 84)

const pages: List[] = [
  ...(
    [
      ['', upTo(110)],
      ['?family=brass&max=100&inStock=1', cheapBrass],
      ['?q=kazoo&sort=newest', newestFirst(odd(upTo(110)))],
      ['?q=gong', even(upTo(110))],
      ['?sort=price&family=strings', even(upTo(110))],
    ] as const
  ).map(([query, expected]) => ({
    ...({ of: 'all-instruments', who: 'visitor', entry: row } as const),
    ...{ path: `/allInstruments${query}`, expected: [...expected] },
  })),
  { of: 'reviews', path: '/reviews', who: 'visitor', entry: '.review', expected: newestFirst(upTo(60)) },
  {
    ...{ of: 'account/my-orders', path: '/dashboard/myOrders', who: 'ada', entry: row },
    expected: newestFirst(odd(upTo(110))),
  },
  { of: 'account/quotes', path: '/dashboard/quotes', who: 'ada', entry: row, expected: newestFirst(upTo(60)) },
  ...(
    [
      ['', upTo(110)],
      // The dearer ones come first.
      ['?q=kazoo&sort=price', [105, 107, 109, ...odd(upTo(104))]],
      ['?family=strings&state=on-sale', even(upTo(110))],
    ] as const
  ).map(([query, expected]) => ({
    ...({ of: 'admin/manage-product', who: 'admin', entry: row, question: 'delete=i003' } as const),
    ...{ path: `/dashboard/manageProduct${query}`, expected: [...expected] },
  })),
  {
    ...{ of: 'admin/product-history', path: '/dashboard/manageProduct/i110/history', who: 'admin', entry: row },
    expected: newestFirst(upTo(60)),
  },
  { of: 'admin/make-admin', path: '/dashboard/makeAdmin', who: 'admin', entry: row, expected: upTo(110) },
  {
    of: 'admin/make-admin',
    path: '/dashboard/makeAdmin?q=evenbody',
    who: 'admin',
    entry: row,
    question: 'make=u003',
    expected: odd(upTo(110)),
  },
  {
    ...{ of: 'admin/make-admin', path: '/dashboard/makeAdmin?q=u', who: 'admin', entry: row },
    expected: upTo(110).sort((a, b) => (`u${a}@` < `u${b}@` ? -1 : 1)),
  },
  {
    ...{
      of: 'admin/user',
      path: '/dashboard/makeAdmin/ada',
      who: 'admin',
      entry: `[aria-labelledby=orders] ${row.replace('main ', '')}`,
    },
    expected: newestFirst(odd(upTo(110))),
  },
  ...(
    [
      ['', upTo(110)],
      ['?status=paid', odd(upTo(110))],
      ['?q=gong', even(upTo(110))],
      ['?q=somebody&status=unpaid', even(upTo(110))],
      [`?${period}`, inPeriod(upTo(110))],
      ['?q=ada@example.com', odd(upTo(110))],
    ] as const
  ).map(([query, expected]) => ({
    ...({ of: 'admin/manage-orders', who: 'admin', entry: row } as const),
    ...{ path: `/dashboard/manageOrders${query}`, expected: newestFirst([...expected]) },
  })),
  {
    ...{ of: 'admin/messages', path: '/dashboard/messages', who: 'admin', entry: listed },
    expected: newestFirst(even(upTo(60))),
  },
  {
    ...{ of: 'admin/messages', path: '/dashboard/messages?done=1', who: 'admin', entry: listed },
    expected: newestFirst(odd(upTo(60))),
  },
  { of: 'admin/manage-quotes', path: '/dashboard/manageQuotes', who: 'admin', entry: row, expected: even(upTo(60)) },
  {
    ...{ of: 'admin/manage-quotes', path: '/dashboard/manageQuotes?answered=1', who: 'admin', entry: row },
    expected: newestFirst(odd(upTo(60))),
  },
  {
    ...{ of: 'admin/webhooks', path: '/dashboard/settings/webhooks', who: 'admin', entry: row },
    expected: newestFirst(upTo(60)),
  },
  {
    ...{ of: 'admin/discounts', path: '/dashboard/settings/discounts', who: 'admin', entry: row },
    expected: newestFirst(upTo(60)),
  },
  {
    ...{ of: 'admin/moderate-reviews', path: '/dashboard/reviews', who: 'admin', entry: listed },
    expected: newestFirst(upTo(60)),
  },
]

/** In JSON, and whole files: each line or element that has a number. */
const files: Omit<List, 'entry'>[] = [
  { of: 'GET /instruments', path: '/instruments?limit=60', who: 'visitor', expected: upTo(110) },
  {
    ...{ of: 'GET /instruments', path: '/instruments?limit=25&q=kazoo&family=brass&max=100&inStock=1', who: 'visitor' },
    expected: cheapBrass,
  },
  { of: 'GET /reviews', path: '/reviews?limit=25', who: 'visitor', expected: newestFirst(upTo(60)) },
  { of: 'GET /order', path: '/order?limit=60', who: 'admin', expected: newestFirst(upTo(110)) },
  {
    ...{ of: 'GET /order', path: '/order?limit=25&customerEmail=ada@example.com', who: 'ada' },
    expected: newestFirst(odd(upTo(110))),
  },
  { of: 'GET /user', path: '/user?limit=60', who: 'admin', expected: upTo(110) },
  { of: 'feeds/atom', path: '/feed.xml', who: 'visitor', expected: newestFirst(upTo(110)).slice(0, 30) },
  { of: 'feeds/merchant', path: '/merchant.xml', who: 'visitor', expected: upTo(110) },
  { of: 'feeds/sitemap', path: '/sitemap.xml', who: 'visitor', expected: upTo(110) },
  { of: 'admin/export-products', path: '/dashboard/manageProduct.csv', who: 'admin', expected: upTo(110) },
  {
    ...{ of: 'admin/export-products', path: '/dashboard/manageProduct.csv?part=2&after=50&through=105', who: 'admin' },
    expected: upTo(105).slice(50),
  },
  { of: 'admin/export-orders', path: '/dashboard/manageOrders.csv', who: 'admin', expected: upTo(110) },
  {
    ...{ of: 'admin/export-orders', path: `/dashboard/manageOrders.csv?${period}`, who: 'admin' },
    expected: inPeriod(upTo(110)),
  },
]

/** These have no order by time: other tests count what is in them. */
const unordered = ['feeds/catalog-file', 'feeds/robots', 'admin/export-report', 'admin/export-everything']

test('every list that has pages, and every file of a list, is in the tables of this test', () => {
  const sources = readdirSync('app/routes', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  )
  const withPages = sources.filter((file) => readFileSync(`app/routes/${file}`, 'utf8').includes('<Pager'))
  const named = (list: string[]) => [...new Set(list.map((each) => each.replace(/\.tsx?$/, '')))].sort()
  expect(named(pages.map((list) => list.of))).toEqual(named(withPages))
  const whole = sources.filter((file) => /^feeds\/|\/export-/.test(file)).map((file) => file.replace(/\.tsx?$/, ''))
  const calls = apiPaths.flatMap(({ path, endpoints }) =>
    Object.entries(endpoints).flatMap(([method, { paged }]) => (paged ? [`${method} ${path}`] : [])),
  )
  expect(named(files.map((list) => list.of))).toEqual(
    named([...whole, ...calls]).filter((each) => !unordered.includes(each)),
  )
})

const numberIn = (text: string) => Number(/no(?:\. |-)(\d+)/.exec(text)?.[1] ?? NaN)
const numbersOf = (texts: string[]) => texts.map(numberIn).filter((number) => !Number.isNaN(number))

function entriesOn({ page }: PageResponse, entry: string): number[] {
  return numbersOf(page.querySelectorAll(entry).map(({ textContent }) => textContent))
}

function linkOn({ page }: PageResponse, which: string): string | undefined {
  return page.querySelector(`nav.pager ${which}`)?.getAttribute('href')?.replaceAll('&amp;', '&')
}

/** A link may lead round in a circle. */
const most = 8

/** Of the address of a page: what its forms, and its link that ticks all, do not have. From there nobody comes back to it. */
function lostBy({ page, path }: PageResponse): string[] {
  const origin = 'http://shop'
  const here = new URL(path, origin)
  const lost = (what: string, params: URLSearchParams) =>
    [...here.searchParams].filter(([name, value]) => params.get(name) !== value).map(([name]) => `${name} by ${what}`)
  const paramsOf = (address: string) => new URL(address.replaceAll('&amp;', '&'), here).searchParams
  const forms = page.querySelectorAll('main form').filter((form) => !form.closest('search'))
  return [
    ...page.querySelectorAll('a[data-select-all]').flatMap((link) => lost('all', paramsOf(link.getAttribute('href')!))),
    ...forms.flatMap((form) => {
      const action = (form.getAttribute('action') ?? '').replace(/#.*/, '') || path
      const hidden = form
        .querySelectorAll('input[type=hidden]')
        .map((input): [string, string] => [input.getAttribute('name')!, input.getAttribute('value') ?? ''])
      const what = form.querySelector('button')?.text.trim() ?? ''
      const isElsewhere = new URL(action, here).pathname !== here.pathname
      return [
        ...(isElsewhere || form.getAttribute('method') !== 'post' ? [] : lost(what, paramsOf(action))),
        ...((isElsewhere || form.getAttribute('method') === 'post') && !form.querySelector('button[formmethod=get]')
          ? []
          : lost(`the fields of ${what}`, new URLSearchParams(hidden))),
      ]
    }),
  ]
}

/** What the pages have, from the first to the last; and whether the links back, forms and questions lead to where they came from. */
async function walk(browser: TestBrowser, { path, entry, question }: List) {
  const first = await browser.get(path)
  const shown: number[] = []
  const lost: string[] = []
  let pageCount = 1
  let page = first
  for (let next; (next = linkOn(page, 'a[rel=next]')) && pageCount < most; pageCount++) {
    shown.push(...entriesOn(page, entry))
    page = await browser.get(next)
    if (pageCount > 1) continue
    lost.push(...lostBy(page))
    if (question === undefined) continue
    const asked = await browser.get(`${page.path}&${question}`)
    const form = asked.page.querySelector('dialog form')
    const back = form?.getAttribute('action')?.replaceAll('&amp;', '&')
    if (!back?.startsWith(`${page.path}#`)) lost.push(`by the question, which leads to ${back}`)
  }
  shown.push(...entriesOn(page, entry))
  for (let back, left = most; (back = linkOn(page, 'a:not([rel=next])')) && left > 0; left--)
    page = await browser.get(back)
  return { shown, isBack: entriesOn(page, entry).join() === entriesOn(first, entry).join(), pageCount, lost }
}

async function read(browser: TestBrowser, path: string): Promise<number[]> {
  const all: number[] = []
  for (let next: string | undefined = path; next;) {
    const response = await browser.fetch(next, { headers: { accept: 'application/json' } })
    const text = await response.text()
    const items = text.startsWith('[')
      ? (JSON.parse(text) as object[]).map((item) => JSON.stringify(item))
      : text.split(/\r\n|<entry>|<item>|<url>/)
    all.push(...numbersOf(items))
    next = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return all
}

test('shows each entry once on the pages of a list, with its filters, and leads back to the first and from each form', async ({
  shop,
}) => {
  shop.skipInvariants('rows that nobody ordered, paid or wrote')
  const [ada, admin] = [await shop.customer({ email: 'ada@example.com' }), await shop.admin()]
  await fill(shop, ada, admin)
  const browsers = {
    visitor: shop.visitor(),
    ada: await shop.signedIn(ada),
    admin: await shop.signedIn(admin),
  }
  const wrong: Record<string, string> = {}
  for (const list of pages) {
    const { expected } = list
    const path = list.path.replace(/ada$/, ada.id)
    const { shown, isBack, pageCount, lost } = await walk(browsers[list.who], { ...list, path })
    if (shown.join() !== expected.join() || !isBack || pageCount < 2)
      wrong[list.path] = `${shown.join()} on ${pageCount} pages, back: ${isBack}, not ${expected.join()}`
    else if (lost.length > 0) wrong[list.path] = `lost: ${[...new Set(lost)].join('; ')}`
  }
  for (const { path, who, expected } of files) {
    const shown = await read(browsers[who], path)
    if (shown.join() !== expected.join()) wrong[path] = `${shown.join()}, not ${expected.join()}`
  }
  expect(wrong).toEqual({})
})
