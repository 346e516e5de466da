import type { HTMLElement } from 'node-html-parser'
import { expect, test } from '../support/shop'
import { unpaidOrder } from '../support/unpaid-order'

test('says the name of an instrument once in its card, and of a row its name alone', async ({ shop }) => {
  const { browser } = await unpaidOrder(shop, { name: 'Théorbe' })
  const admin = await shop.signedIn(await shop.admin())
  const { page: home } = await shop.visitor().get('/home')
  const card = home.querySelector('.card')!
  expect([card.querySelector('img')!.getAttribute('alt'), card.querySelector('h3')!.text]).toEqual(['', 'Théorbe'])
  const rows = [
    [browser, '/dashboard/myOrders', /^Théorbe · C-\d+$/],
    [shop.visitor(), '/allInstruments', /^Théorbe$/],
    [admin, '/dashboard/manageProduct', /^Théorbe$/],
    [admin, '/dashboard/settings/families', /^Strings$/],
  ] as const
  for (const [visitor, path, name] of rows) {
    const { page } = await visitor.get(path)
    expect([path, nameOf(page, page.querySelector('tbody th[scope=row]')!)]).toEqual([
      path,
      expect.stringMatching(name),
    ])
  }
})

function nameOf(page: HTMLElement, header: HTMLElement): string | undefined {
  const id = header.getAttribute('aria-labelledby')
  return id === undefined ? header.text : page.querySelector(`[id="${id}"]`)?.text
}
