import type { StaffRole } from '../../app/store/accounts/sign-in'
import { setStaffRole } from '../../app/store/accounts/users.server'
import { closeAccount } from '../../app/store/privacy/close-account.server'
import { newId } from '../../app/store/shared/ids.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { confirmOrderPayment } from '../../app/store/payments/confirm-payment.server'
import { startCheckout } from '../../app/store/payments/payments.server'
import { payAt } from '../support/hosted-page'
import { expect, test, type Shop } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'

async function paidOrder(shop: Shop, instrumentId: string): Promise<string> {
  const customer = await shop.customer({ name: 'Ben' })
  const { id } = await placeOrder(shop.deps, customer, {
    ...{ instrumentId, submissionId: newId(), orderQuantity: 1 },
    ...{ customerAddress: '1 Bow Lane', customerPhone: '07700 900123' },
  })
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await confirmOrderPayment(shop.deps, id)
  return id
}

async function colleague(shop: Shop, admin: { id: string }, ...roles: (StaffRole | null)[]) {
  const user = await shop.customer({ name: 'Cleo' })
  for (const role of roles) await setStaffRole(shop.deps, admin, user.id, role)
  return { user, browser: await shop.signedIn(user) }
}

/** Each page of the desk, and who may see it. */
const pages: [path: (ids: { order: string; product: string; user: string }) => string, roles: string][] = [
  [() => '/dashboard/manageOrders', 'packer bookkeeper'],
  [({ order }) => `/dashboard/manageOrders/${order}`, 'packer bookkeeper'],
  [({ order }) => `/dashboard/manageOrders/${order}/packingSlip`, 'packer'],
  [({ order }) => `/dashboard/manageOrders/packingSlips?order=${order}`, 'packer'],
  [() => '/dashboard/manageOrders/pickingList', 'packer'],
  [() => '/dashboard/manageOrders.csv', 'bookkeeper'],
  [() => '/dashboard/reports', 'bookkeeper'],
  [() => '/dashboard/reports.csv', 'bookkeeper'],
  [() => '/dashboard/reports.csv?of=searches', 'bookkeeper'],
  [({ order }) => `/dashboard/myOrders/invoice/${order}`, 'bookkeeper'],
  [({ order }) => `/dashboard/myOrders/receipt/${order}`, 'bookkeeper'],
  [({ order }) => `/dashboard/manageOrders/${order}/refund`, ''],
  [() => '/dashboard/makeAdmin', ''],
  [({ user }) => `/dashboard/makeAdmin/${user}`, ''],
  [() => '/dashboard/addProduct', ''],
  [() => '/dashboard/manageProduct', ''],
  [() => '/dashboard/manageProduct.csv', ''],
  [() => '/dashboard/manageProduct/several', ''],
  [() => '/dashboard/manageProduct/import', ''],
  [() => '/dashboard/manageProduct/pictures', ''],
  [({ product }) => `/dashboard/manageProduct/${product}`, ''],
  [({ product }) => `/dashboard/manageProduct/${product}/history`, ''],
  [() => '/dashboard/messages', ''],
  [() => '/dashboard/manageQuotes', ''],
  [() => '/dashboard/reviews', ''],
  [() => '/dashboard/shopEmails', ''],
  [() => '/dashboard/settings/pages', ''],
  [() => '/dashboard/settings/families', ''],
  [() => '/dashboard/settings/discounts', ''],
  [() => '/dashboard/settings/emails', ''],
  [() => '/dashboard/settings/emails/refund', ''],
]

test('shows each page of the desk to those whose role has it, and to nobody else', async ({ shop }) => {
  const admin = await shop.admin()
  const product = await shop.sells({ stock: 10 })
  const order = await paidOrder(shop, product)
  const [packer, bookkeeper, revoked, closed] = [
    ...[await colleague(shop, admin, 'packer'), await colleague(shop, admin, 'bookkeeper')],
    ...[await colleague(shop, admin, 'packer', null), await colleague(shop, admin, 'bookkeeper')],
  ]
  await closeAccount(shop.deps, closed!.user)
  const visitors: [name: string, browser: TestBrowser][] = [
    ...[['packer', packer!.browser] as const, ['bookkeeper', bookkeeper!.browser] as const],
    ...[['revoked', revoked!.browser] as const, ['closed', closed!.browser] as const],
    ['admin', await shop.signedIn(admin)],
  ].map(([name, browser]) => [name as string, browser as TestBrowser])
  const wrong: string[] = []
  for (const [pathOf, roles] of pages) {
    const path = pathOf({ order, product, user: packer!.user.id })
    for (const [name, browser] of visitors) {
      const { status } = await browser.fetch(path)
      const expected = name === 'admin' || roles.split(' ').includes(name)
      if ((status === 200) !== expected) wrong.push(`${name} ${path}: ${status}`)
    }
  }
  expect(wrong).toEqual([])
})

test('shows in menu and pages only what a role may do', async ({ shop }) => {
  const admin = await shop.admin()
  const order = await paidOrder(shop, await shop.sells({ stock: 10 }))
  const [packer, bookkeeper] = [await colleague(shop, admin, 'packer'), await colleague(shop, admin, 'bookkeeper')]
  const menuOf = async ({ browser }: { browser: TestBrowser }) =>
    (await browser.get('/dashboard')).page
      .querySelectorAll('nav[aria-label="Dashboard"] li')
      .map((item) => item.text.trim())
  expect(await menuOf(packer)).toEqual([
    ...['My Orders', 'Add a Review', 'My Profile', 'Manage All Orders', 'More', 'My Quotes', 'Picking List'],
  ])
  expect(await menuOf(bookkeeper)).toEqual([
    ...['My Orders', 'Add a Review', 'My Profile', 'Manage All Orders', 'More', 'My Quotes', 'Reports'],
  ])
  const has = async ({ browser }: { browser: TestBrowser }, path: string) => {
    const { page } = await browser.get(path)
    const texts = ['Ship Now', 'Packing slips', 'Picking list', 'Export', 'Save note', 'Refund', 'Invoice']
    return texts.filter((text) => page.querySelector('#main, main')!.text.includes(text))
  }
  expect(await has(packer, '/dashboard/manageOrders')).toEqual(
    expect.arrayContaining(['Ship Now', 'Packing slips', 'Picking list']),
  )
  expect(await has(packer, '/dashboard/manageOrders')).not.toContain('Export')
  expect(await has(bookkeeper, '/dashboard/manageOrders')).not.toContain('Ship Now')
  expect(await has(bookkeeper, '/dashboard/manageOrders')).toContain('Export')
  expect(await has(packer, `/dashboard/manageOrders/${order}`)).toEqual(['Ship Now', 'Save note'])
  expect(await has(bookkeeper, `/dashboard/manageOrders/${order}`)).toEqual(['Invoice'])
})

test('gives and ends a role on the page of a customer, after a question, without scripts', async ({ shop }) => {
  const admin = await shop.visitor().signIn(await shop.admin())
  const { user, browser } = await colleague(shop, { id: 'nobody' })
  const path = `/dashboard/makeAdmin/${user.id}`
  const question = await admin.get(`${path}?role=packer`)
  expect((await admin.get(path)).page.querySelector(`a[href="${path}?role=packer"]`)!.text).toBe('Make packer')
  expect(question.page.querySelector('dialog')!.text).toContain('Make Cleo a packer?')
  expect((await browser.get('/dashboard/manageOrders')).path).toBe('/dashboard')
  const after = await admin.press(question, 'Make packer')
  expect(after.text).toContain('This user is a packer now.')
  expect(after.text).toContain('staff role granted: packer')
  expect((await browser.get('/dashboard/manageOrders')).path).toBe('/dashboard/manageOrders')
  expect((await browser.get('/dashboard')).text).toContain('Add a second step to protect the shop.')
  // The specified flag means admin alone (R53).
  expect((await admin.get('/dashboard/makeAdmin?q=cleo')).text).toContain('Make Admin')

  const end = await admin.press(await admin.get(`${path}?role=none`), 'Revoke role')
  expect(end.text).toContain('Role revoked.')
  expect((await browser.get('/dashboard/manageOrders')).path).toBe('/dashboard')
})
