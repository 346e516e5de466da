import { readdirSync, readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { vi } from 'vitest'
import { instruments } from '../../app/db/schema'
import { resendVerification } from '../../app/store/accounts/users.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { startCheckout } from '../../app/store/payments/payments.server'
import { addReview } from '../../app/store/reviews/reviews.server'
import { programOf } from '../support/api-client'
import { payAt } from '../support/hosted-page'
import { aPaidOrder, refundAtStripe } from '../support/payments'
import { refund } from '../support/refund'
import { expect, orderInput, parcel, test, type Shop } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'

/** What a command changes on cached pages: words that come or go there. */
interface Change {
  pages: string[]
  comes?: string
  goes?: string
  prepare?: () => Promise<unknown>
  act: () => Promise<unknown>
}

const lists = ['/allInstruments', '/instruments', '/catalog.html', '/merchant.xml', '/feed.xml', '/sitemap.xml']
const withStock = ['/allInstruments', '/instruments', '/catalog.html']
const withPrice = ['/', '/home', '/catalog/violin', '/merchant.xml', ...withStock]
const withReviews = ['/', '/home', '/reviews', '/reviews as JSON']
const never = 'not on any page'

test('shows each change at once while the page cache is on', { timeout: 60_000 }, async ({ shop }) => {
  // Longer than the test: only an invalidation can change a page.
  await shop.configure({ EDGE_CACHE_SECONDS: '3600' })
  const changes = await changesOf(shop)
  expect(Object.keys(changes).sort()).toEqual(callsOf('app/store').sort())

  const visitor = shop.visitor()
  const all = [...new Set([...withPrice, ...lists, ...withReviews])]
  const before = await Promise.all(all.map((page) => read(visitor, page)))
  await shop.sells({ name: 'Behind the Worker’s back', price: 1 })
  await addReview(shop.deps, await shop.customer(), { description: 'Behind its back' })
  expect(await Promise.all(all.map((page) => read(visitor, page)))).toEqual(before)

  for (const [name, list] of Object.entries(changes)) {
    for (const { pages, comes = never, goes = never, prepare, act } of list) {
      await prepare?.()
      const states = () => Promise.all(pages.map(async (page) => wordsOn(await read(visitor, page), [comes, goes])))
      const is = (words: string) => pages.map(() => (words === never ? [] : [words]))
      expect.soft(await states(), `${name}, before: ${pages.join(' ')}`).toEqual(is(goes))
      await act()
      // An order may take a second to show.
      if (name.endsWith(' stock'))
        await vi.waitFor(async () => expect(await states()).toEqual(is(comes)), 2500).catch(() => undefined)
      expect.soft(await states(), `${name}: ${pages.join(' ')}`).toEqual(is(comes))
    }
  }
})

function wordsOn(text: string, words: string[]): string[] {
  return words.filter((each) => text.toLowerCase().includes(each.toLowerCase()))
}

async function read(visitor: TestBrowser, page: string): Promise<string> {
  const [path = '', asJson] = page.split(' as ')
  const accept = asJson ? 'application/json' : path === '/instruments' ? '*/*' : 'text/html'
  const response = await visitor.fetch(path, { headers: { accept } })
  expect([page, response.status]).toEqual([page, 200])
  return response.text()
}

/** Each call of `invalidate`, as `file function what`. */
function callsOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.server.ts'))
    .flatMap((file) => {
      const text = readFileSync(`${folder}/${file}`, 'utf8')
      return [...text.matchAll(/\binvalidate\('(\w+)'\)/g)].map(({ index, 1: what }) => {
        const [, name] = [...text.slice(0, index).matchAll(/^(?:export )?(?:async )?function (\w+)/gm)].at(-1)!
        return `${file.split('/').at(-1)!.replace('.server.ts', '')} ${name} ${what}`
      })
    })
}

async function changesOf(shop: Shop): Promise<Record<string, Change[]>> {
  const { deps } = shop
  const password = 'correct horse'
  const violin = await shop.sells({ name: 'Violin', price: 1239_57, stock: 150_001 })
  const sackbut = await shop.sells({ name: 'Sackbut' })
  const crumhorn = await shop.sells({ name: 'Crumhorn' })
  const flute = (stock: number) => shop.sells({ name: `Flute ${String(stock)[0]}`, stock })
  const [ordered, called, cancelled] = [await flute(250_001), await flute(350_001), await flute(450_001)]
  const [recovered, held, closed, offered] = [
    await flute(550_001),
    await flute(650_001),
    await flute(750_001),
    await flute(950_001),
  ]
  const paid = await aPaidOrder(shop, { stock: 850_001 })
  /** Paid for and reviewed: 'Bought here' on its page. */
  const aReviewed = async () => {
    const order = await aPaidOrder(shop)
    await addReview(deps, order.customer, { description: 'Fine.', instrumentId: order.violin })
    const [row] = await deps.db
      .select({ slug: instruments.slug })
      .from(instruments)
      .where(eq(instruments.id, order.violin))
    return { ...order, page: `/catalog/${row!.slug}` }
  }
  const [refunded, elsewhere] = [await aReviewed(), await aReviewed()]

  const [boss, ada] = [await shop.admin(), await shop.customer()]
  const [admin, office] = [await shop.signedIn(boss), await programOf(shop, boss)]
  const [browser, program] = [await shop.signedIn(ada), await programOf(shop, ada)]
  const manage = (command: string, instrumentId: string, fields: Record<string, string> = {}) =>
    admin.post('/dashboard/manageProduct', { command, instrumentId, ...fields })
  const manageAll = (command: string, product: string) => admin.post('/dashboard/manageProduct', { command, product })
  const moderate = (intent: string, reviewId: string, fields: Record<string, string> = {}) =>
    admin.post('/dashboard/reviews', { intent, reviewId, ...fields })
  const familyPages = ['/', '/home', '/allInstruments', '/reviews', '/login', '/catalog/violin']
  const family = (fields: Record<string, string>, path = '') =>
    admin.post(`/dashboard/settings/families${path}`, fields)
  const ownPage = { id: '' }
  const managePage = async (id: string, fields: Record<string, string>) => {
    const text = { title: 'Terms', slug: 'terms', body: 'Be kind.', footer: 'Terms of use', intent: 'publish' }
    const { path } = await admin.post(`/dashboard/settings/pages/${id}`, { ...text, ...fields })
    ownPage.id = path.split('/').at(-1)!
  }
  const unpaid = async (instrumentId: string, customer: { id: string }, holdMs = deps.holdMs) =>
    (await placeOrder({ ...deps, holdMs }, customer, orderInput(instrumentId))).id
  const reviewer = async (name: string, verified: boolean) => {
    const account = { ...(await shop.user({ name, verified, password })), password }
    const { id } = await addReview(deps, account, { description: `${name} is glad.` })
    return { account, reviewId: id, browser: await shop.signedIn(account) }
  }
  const [bea, cleo, dora] = [await reviewer('Bea', true), await reviewer('Cleo', true), await reviewer('Dora', false)]
  const [eva, fay] = [await reviewer('Eva', false), await reviewer('Fay', false)]
  const toCancel = await unpaid(cancelled, ada)
  await unpaid(closed, bea.account)
  await unpaid(recovered, eva.account)
  const checkout = await startCheckout(deps, fay.account, await unpaid(offered, fay.account))

  /** The hold ends after the pages were read: one that is too short is followed by a longer one. */
  async function holdShortly() {
    for (const holdMs of [500, 2000, 8000]) {
      await unpaid(held, ada, holdMs)
      // Makes the pages new.
      await manage('show', violin)
      const pages = await Promise.all(withStock.map((page) => read(shop.visitor(), page)))
      if (pages.every((page) => page.includes('649999'))) return
      await vi.waitFor(async () => {
        await shop.cron()
        expect(await shop.stockOf(held)).toBe(650_001)
      })
    }
  }

  const orderFields = { ...parcel, orderQuantity: '2' }
  return {
    'manage-instruments addInstrument catalogue': [
      {
        pages: lists,
        comes: 'theorbo',
        act: () =>
          office.call('POST', '/instruments', {
            ...{ name: 'Theorbo', img: '/plates/lute.svg', description: 'Long', price: 1 },
            ...{ minQuantity: 1, availableQuantity: 1 },
          }),
      },
    ],
    'manage-instruments updateInstrument catalogue': [
      {
        pages: withPrice,
        goes: '239.57',
        comes: '345.68',
        act: async () =>
          admin.press(await admin.get(`/dashboard/manageProduct/${violin}`), 'Save', { price: '2345.68' }),
      },
    ],
    'manage-instruments changeStock catalogue': [
      {
        pages: [...withStock, '/catalog/violin'],
        goes: '150001',
        comes: '150008',
        act: () => manage('stock', violin, { pieces: '7', direction: 'in', submissionId: 'a-submission-id-of-a-test' }),
      },
    ],
    'manage-instruments setHidden catalogue': [
      { pages: lists, goes: 'sackbut', act: () => manage('hide', sackbut) },
      { pages: lists, comes: 'sackbut', act: () => manage('show', sackbut) },
    ],
    'manage-instruments setAllHidden catalogue': [
      { pages: lists, goes: 'sackbut', act: () => manageAll('hide-all', sackbut) },
      { pages: lists, comes: 'sackbut', act: () => manageAll('show-all', sackbut) },
    ],
    'bulk-changes changeMany catalogue': [
      {
        pages: withPrice,
        goes: '345.68',
        comes: '456.78',
        act: () => office.call('POST', '/instrument-changes', { changes: [{ _id: violin, price: 2456.78 }] }),
      },
      {
        pages: withPrice,
        goes: '456.78',
        comes: '871.35',
        act: async () => {
          const form = await admin.get(`/dashboard/manageProduct/several?product=${violin}`)
          await admin.press(form, 'Save', { price1: '1871.35' })
        },
      },
    ],
    'manage-instruments removeInstrument catalogue': [
      { pages: lists, goes: 'crumhorn', act: () => office.call('DELETE', `/instruments/${crumhorn}`) },
    ],
    'copy-pictures replace catalogue': [
      {
        pages: ['/allInstruments', '/instruments', '/merchant.xml'],
        comes: '/pictures/',
        prepare: async () => {
          const img = 'https://photos.example/violin.png'
          await deps.db.update(instruments).set({ img }).where(eq(instruments.id, violin))
        },
        act: () => admin.post('/dashboard/manageProduct/pictures', {}),
      },
    ],
    'import-instruments importInstruments catalogue': [
      {
        pages: lists,
        comes: 'rebec',
        act: () => {
          const form = new FormData()
          const head =
            'id,version,name,family,brand,img,description,price,minQuantity,availableQuantity,stockChange,reason'
          const row = `${head}\n,,Rebec,strings,,/plates/lute.svg,Old,12.50,2,5,,`
          form.set('file', new File([row], 'products.csv'))
          form.set('intent', 'apply')
          return admin.post('/dashboard/manageProduct/import', form)
        },
      },
    ],
    'reviews addReview reviews': [
      {
        pages: withReviews,
        comes: 'Ada is glad.',
        act: async () =>
          browser.press(await browser.get('/dashboard/addReview'), 'Submit', { description: 'Ada is glad.' }),
      },
    ],
    'moderate-reviews moderateReview reviews': [
      { pages: withReviews, goes: 'Cleo is glad.', act: () => moderate('hide', cleo.reviewId, { reason: 'Spam' }) },
      { pages: withReviews, comes: 'Cleo is glad.', act: () => moderate('show', cleo.reviewId) },
      {
        pages: ['/', '/home', '/reviews'],
        comes: 'We are, too.',
        act: () => moderate('reply', cleo.reviewId, { reply: 'We are, too.' }),
      },
    ],
    'profile updateProfile reviews': [
      {
        pages: ['/', '/home', '/reviews'],
        comes: 'https://pictures.example/cleo.png',
        act: async () =>
          cleo.browser.press(await cleo.browser.get('/dashboard/myProfile'), 'Update Profile', {
            image: 'https://pictures.example/cleo.png',
          }),
      },
    ],
    'users verifyEmail reviews': [
      {
        pages: ['/', '/home'],
        comes: 'Dora is glad.',
        act: async () => {
          await resendVerification(deps, dora.account)
          await shop.cron()
          const [email] = await shop.emailsTo(dora.account.email)
          const link = new URL(/https?:\S+\/verify-email\S+/.exec(email!.text)![0])
          await dora.browser.press(await dora.browser.get(link.pathname + link.search), 'Verify my email')
        },
      },
    ],
    'close-account closeAccount reviews': [
      {
        pages: withReviews,
        goes: 'Bea is glad.',
        act: async () => {
          const question = await bea.browser.get('/dashboard/myProfile/data/close')
          await bea.browser.press(question, 'Close my account', { deleteReviews: 'on' })
        },
      },
    ],
    'manage-pages addPage pages': [
      {
        pages: ['/home', '/reviews', '/login', '/sitemap.xml'],
        comes: '/pages/terms',
        act: () => managePage('new', { submissionId: 'a-submission-id-of-a-page' }),
      },
    ],
    'manage-pages changePage pages': [
      {
        pages: ['/pages/terms'],
        goes: 'Be kind.',
        comes: 'Be kinder.',
        act: () => managePage(ownPage.id, { body: 'Be kinder.', version: '1' }),
      },
      {
        pages: ['/home', '/reviews', '/login', '/sitemap.xml'],
        goes: '/pages/terms',
        act: () => managePage(ownPage.id, { intent: 'withdraw', version: '2' }),
      },
    ],
    'place-order insertOrder stock': [
      {
        pages: withStock,
        goes: '250001',
        comes: '249999',
        act: async () => browser.press(await browser.get(`/instruments/${ordered}`), 'Order Now', orderFields),
      },
    ],
    'place-order beginOrder stock': [
      {
        pages: withStock,
        goes: '350001',
        comes: '349999',
        act: () => program.call('POST', '/order', { instrumentId: called, ...parcel, orderQuantity: 2 }),
      },
    ],
    'cancel-order cancelOrder stock': [
      {
        pages: withStock,
        goes: '449999',
        comes: '450001',
        act: () => program.call('DELETE', `/order/${ada.email}?orderId=${toCancel}`),
      },
    ],
    'cancel-order cancelOrdersBefore stock': [
      {
        pages: withStock,
        goes: '549999',
        comes: '550001',
        act: async () => {
          const visitor = shop.visitor()
          const { email } = eva.account
          await visitor.press(await visitor.get('/forgot-password'), 'Send the link', { email })
          const [sent] = await shop.emailsTo(email)
          const link = new URL(/https?:\S+\/reset-password\S+/.exec(sent!.text)![0])
          const form = await visitor.get(link.pathname + link.search)
          await visitor.press(form, 'Change my password', { password: 'quite another one' })
        },
      },
    ],
    'holds releaseExpiredHolds stock': [
      {
        pages: withStock,
        goes: '649999',
        comes: '650001',
        prepare: holdShortly,
        act: () =>
          vi.waitFor(async () => {
            await shop.cron()
            expect(await shop.stockOf(held)).toBe(650_001)
          }, 10_000),
      },
    ],
    'order-refunds refundOrder stock': [
      {
        pages: withStock,
        goes: '849999',
        comes: '850000',
        act: async () => {
          const fields = { amount: '100', reason: 'Dent', restock: '1' }
          await refund(admin, paid.id, fields)
        },
      },
    ],
    'order-refunds refundOrder reviews': [
      {
        pages: [refunded.page],
        goes: 'Bought here',
        act: async () => {
          await refund(admin, refunded.id, { amount: '500', reason: 'Late' })
        },
      },
    ],
    'provider-refunds recordRefunds reviews': [
      {
        pages: [elsewhere.page],
        goes: 'Bought here',
        act: async () => {
          await refundAtStripe(shop, elsewhere.transactionId, 500_00)
          await shop.cron()
        },
      },
    ],
    'manage-families addFamily settings': [
      {
        pages: familyPages,
        comes: 'Tuned drums',
        act: () => family({ intent: 'add', name: 'Tuned drums', slug: 'drums' }),
      },
    ],
    'manage-families moveFamily settings': [
      {
        pages: ['/home', '/reviews'],
        comes: 'family=drums">Tuned drums</a></li><li><a class="nav-link" href="/allInstruments?family=strings"',
        act: () => family({ intent: 'move', slug: 'drums', place: '0' }),
      },
    ],
    'manage-families changeFamily settings': [
      {
        pages: familyPages,
        goes: 'Tuned drums',
        comes: 'Percussion',
        act: () => family({ intent: 'save', name: 'Percussion', slug: 'percussion', version: '1' }, '/drums'),
      },
    ],
    'manage-families setFamilyHidden settings': [
      {
        pages: [...familyPages, '/sitemap.xml'],
        goes: 'percussion',
        act: () => family({ intent: 'hide', slug: 'percussion' }),
      },
      { pages: familyPages, comes: 'Percussion', act: () => family({ intent: 'show', slug: 'percussion' }) },
    ],
    'manage-families deleteFamily settings': [
      { pages: familyPages, goes: 'Percussion', act: () => family({ intent: 'delete' }, '/percussion') },
    ],
    'versions saveTexts settings': [
      {
        pages: ['/', '/home'],
        comes: 'Lutes by the sea',
        act: async () => admin.press(await admin.get('/dashboard/settings'), 'Save', { tagline: 'Lutes by the sea' }),
      },
    ],
    'confirm-payment markPaid stock': [
      {
        pages: ['/', '/home'],
        comes: 'Fay is glad.',
        act: async () => {
          const { location } = await payAt(checkout.url)
          const { pathname, search } = new URL(location!)
          await fay.browser.get(pathname + search)
        },
      },
    ],
  }
}
