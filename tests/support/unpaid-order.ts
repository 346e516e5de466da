import { parcel } from './fixture'
import type { Shop } from './shop'

/** Two pieces for $500, ordered in the customer's browser. */
export async function unpaidOrder(
  shop: Shop,
  { name = 'Concert Violin', price = 250_00, stock = 10, quantity = 2, delivery = parcel } = {},
) {
  const violin = await shop.sells({ name, price, stock })
  const customer = await shop.customer()
  const browser = await shop.signedIn(customer)
  const fields = { ...delivery, orderQuantity: String(quantity) }
  await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', fields)
  const [order] = await shop.ordersOf(customer)
  const { id } = order!
  const state = async () => (await shop.ordersOf(customer)).find((each) => each.id === id)!.state
  return { violin, customer, browser, id, path: `/dashboard/myOrders/payment/${id}`, state }
}
