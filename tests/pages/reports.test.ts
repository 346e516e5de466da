import { readMonth } from '../../app/store/shared/dates'
import { expect, test } from '../support/shop'

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
