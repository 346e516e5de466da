import { asCustomer, expect, orderToPay } from './shop'

asCustomer.use({ timezoneId: 'Asia/Tokyo' })

asCustomer(
  'shows times in the zone of the reader, and in UTC without JavaScript',
  async ({ page, javaScriptEnabled }) => {
    await orderToPay(page, 'cello-case', 2)
    await page.goto('/dashboard/myOrders')
    const time = page.locator('.held-until time')
    const at = new Date((await time.getAttribute('datetime'))!)
    if (javaScriptEnabled) at.setUTCHours(at.getUTCHours() + 9)
    const hour = at.toISOString().slice(11, 16)
    await expect(time).toHaveText(
      new RegExp(
        `^${at.getUTCDate()} \\w{3} ${at.getUTCFullYear()}, ${hour} ${javaScriptEnabled ? 'GMT\\+9' : 'UTC'}$`,
      ),
    )
  },
)
