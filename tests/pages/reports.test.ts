import { readMonth } from '../../app/store/shared/dates'
import { refundOrder } from '../../app/store/payments/order-refunds.server'
import { newId } from '../../app/store/shared/ids.server'
import { parseCsv } from '../../app/http/csv/csv.server'
import { aPaidOrder, anOrder } from '../support/payments'
import { expect, test } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'

/** Lines of a file, each by the names of its columns. */
async function linesOf(browser: TestBrowser, path: string): Promise<Record<string, string>[]> {
  const text = await (await browser.fetch(path)).text()
  const [header, ...lines] = [...parseCsv(text.replace('\uFEFF', ''), ',')]
  return lines.map((cells) => Object.fromEntries(cells.map((cell, nth) => [header![nth]!, cell])))
}

const dollars = (text: string) => Number(text.replace(/[$,]/g, ''))
const sum = (values: number[]) => Math.round(values.reduce((total, each) => total + each, 0) * 100) / 100

test('shows the sums of this month that the export of the orders has', async ({ shop }) => {
  const admin = await shop.admin()
  const browser = await shop.visitor().signIn(admin)
  expect((await browser.get('/dashboard/reports')).text).toContain('Nothing was sold or refunded in this month.')
  const { id, transactionId } = await aPaidOrder(shop, { stock: 10, quantity: 3 })
  await aPaidOrder(shop)
  await anOrder(shop)
  expect(transactionId).not.toBe('')
  await refundOrder(shop.deps, admin, id, { submissionId: newId(), amount: 12_34, reason: 'Dent' })

  const orders = (await linesOf(browser, '/dashboard/manageOrders.csv')).filter(({ Paid }) => Paid !== '')
  expect(orders).toHaveLength(2)
  const revenue = sum(orders.map(({ Total }) => Number(Total)))
  const refunds = sum(orders.map(({ Refund }) => Number(Refund)))
  const page = await browser.get('/dashboard/reports')
  const facts = page.page
    .querySelectorAll('section[aria-labelledby=month] .tasks > div')
    .map((fact) => [fact.querySelector('dt')!.textContent, dollars(fact.querySelector('dd')!.textContent)])
  expect(facts).toEqual([
    ['Orders', 2],
    ['Pieces', sum(orders.map(({ Quantity }) => Number(Quantity)))],
    ['Revenue', revenue],
    ['Discounts', sum(orders.map(({ Discount }) => Number(Discount)))],
    ['Refunds', refunds],
    ['After refunds', sum([revenue, -refunds])],
    ['New customers', new Set(orders.map(({ Email }) => Email)).size],
    ['Returning customers', 0],
  ])
  expect(refunds).toBe(12.34)

  const months = await linesOf(browser, '/dashboard/reports.csv')
  const month = new Date(shop.deps.now()).toISOString().slice(0, 7)
  expect(months).toMatchObject([
    {
      Month: month,
      Orders: '2',
      Revenue: revenue.toFixed(2),
      Refunds: '12.34',
      'New customers': '2',
      'Returning customers': '0',
    },
  ])
  const file = await linesOf(browser, `/dashboard/reports.csv?month=${month}`)
  expect(file.map(({ Product, Revenue }) => [Product, Number(Revenue)]).sort()).toEqual(
    orders.map(({ Product, Total }) => [Product, Number(Total)]).sort(),
  )
})

test('leads from month to month, and not into a month to come', async ({ shop }) => {
  const browser = await shop.visitor().signIn(await shop.admin())
  const links = async (path: string) =>
    (await browser.get(path)).page.querySelectorAll('.actions a').map((link) => link.getAttribute('href')!.slice(-7))
  const now = new Date(shop.deps.now()).toISOString().slice(0, 7)
  const [last, ...none] = await links('/dashboard/reports')
  expect([readMonth(last!), none]).toEqual([readMonth(now)! - 1, []])
  expect(await links(`/dashboard/reports?month=${last}`)).toEqual([expect.any(String), now])
  expect(await links('/dashboard/reports?month=2026-13')).toEqual([last])
  expect(await links('/dashboard/reports?month=0000-01')).toEqual([last])
})

test('exports nothing for what is no month', async ({ shop }) => {
  const browser = await shop.visitor().signIn(await shop.admin())
  for (const month of ['2026-13', '', 'x', '2026-11-01']) {
    const answer = await browser.fetch(`/dashboard/reports.csv?month=${month}`)
    expect([answer.status, await answer.text()]).toEqual([
      400,
      'Month: give a month, like 2026-12. Nothing is exported.\n',
    ])
  }
})
