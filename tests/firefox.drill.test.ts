import { expect, test, vi } from 'vitest'
import { provideFirefox } from '../dev/browser'
import { openTemporaryShop } from '../dev/temporary-shop'
import { Firefox } from './support/firefox'

const minutes = 60_000

/** A page of Firefox may take many seconds on a busy machine. */
const soon = { timeout: minutes, interval: 200 }

test.each([
  ['with scripts', true],
  ['without scripts', false],
])(
  'Firefox, %s: finds, orders, cancels, orders again and pays; the shopkeeper ships',
  { timeout: 15 * minutes },
  async (_, scripts) => {
    const shop = await openTemporaryShop()
    const firefox = await Firefox.start(provideFirefox(console.warn), { scripts })
    const expectText = (text: string | RegExp) => expect.poll(() => firefox.text(), soon).toMatch(text)
    const expectUrl = (path: RegExp) => expect.poll(() => firefox.url(), soon).toMatch(path)
    const login = async (email: string) => {
      await firefox.type({ Email: email, Password: 'practice' })
      await firefox.press('Login')
    }
    const order = async () => {
      await firefox.type({ 'Order quantity': '2', Address: '1 Bow Lane', Phone: '+1 212 555 0123' })
      await firefox.press('Order Now')
      await expectUrl(/\/dashboard\/myOrders\/payment\/[\w-]+$/)
      await expectText('You ordered 2 pieces of Concert Violin 4/4.')
    }
    try {
      await firefox.open(`${shop.url}/home`)
      await expectText('Concert Violin 4/4')
      await firefox.press('Purchase')
      await expectUrl(/\/login\?redirectTo=/)
      await login('ada@example.com')
      await expectUrl(/\/instruments\/violin-4-4$/)
      await order()

      await firefox.open(`${shop.url}/dashboard/myOrders`)
      await firefox.press('Cancel')
      await expect.poll(() => firefox.title(), soon).toBe('Order Cancelled! · My Orders · Cadenza')
      await expectText('No orders yet')
      // What has the focus says it too.
      expect(await firefox.run('return document.activeElement.textContent')).toBe('My Orders')

      await firefox.open(`${shop.url}/instruments/violin-4-4`)
      await order()
      const orderUrl = await firefox.url()
      const card = { 'Card number': '4242 4242 4242 4242', CVC: '123', 'Name on card': 'Ada' }
      if (scripts) {
        await vi.waitFor(
          () =>
            firefox.typeInFrame({ 'Card number': card['Card number'], Expiration: '12 / 40', 'Security code': '123' }),
          soon,
        )
        await firefox.press('Pay')
      } else {
        await firefox.press('Pay on the secure page')
        await firefox.type({ ...card, Expiry: '12 / 40' })
        await firefox.press('Pay $2,900.00')
      }
      await expectText('Your payment is successful!')
      expect((await firefox.url()).split('?')[0]).toBe(orderUrl)

      await firefox.press('Sign Out')
      await expectText('Login')
      // Another one must not see the page again.
      await firefox.back()
      await expect.poll(() => firefox.text(), soon).not.toContain('Your payment is successful!')
      await firefox.open(`${shop.url}/login`)
      await login('admin@example.com')
      await expectUrl(/\/dashboard$/)
      await firefox.open(`${shop.url}/dashboard/manageOrders?status=paid`)
      await firefox.press('Ship Now', 'Concert Violin 4/4')
      await expect.poll(() => firefox.title(), soon).toMatch(/^Order marked as shipped\. · /)
      await firefox.open(`${shop.url}/dashboard/manageOrders?status=shipped`)
      await expectText('Concert Violin 4/4')
    } finally {
      await firefox.stop()
      await shop.stop()
    }
  },
)
