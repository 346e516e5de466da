import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { drill, expect, fillIn, orderToPay, payInFull, signInAs, test } from './shop'

test.use({ viewport: { width: 360, height: 740 } })

test('ships two orders in a row with tracking, refunds one, and the customer sees both', async ({
  page,
  customer,
  javaScriptEnabled,
}) => {
  for (const quantity of [1, 2]) {
    await orderToPay(page, 'cello-case', quantity)
    await payInFull(page, javaScriptEnabled)
  }
  await signInAs(page, 'admin@example.com')
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Manage All Orders' }).click()
  await fillIn(page, { Search: customer.email }, 'Search')
  await page
    .getByRole('link', { name: /^C-\d+$/ })
    .last()
    .click()
  await fillIn(page, { Carrier: 'Swift & Sons', 'Tracking number': 'S-1' }, 'Ship and open the next')
  await expect(page.getByText('Here is the next one.')).toBeVisible()
  await expect(page.getByLabel('Carrier')).toHaveValue('Swift & Sons')
  await fillIn(page, { 'Tracking number': 'S-2' }, 'Ship Now')
  await expect(page.getByText('Order marked as shipped.')).toBeVisible()
  await fillIn(page, { Amount: '5', Reason: 'Scratch on the lid' })
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Refund $5.00 to ${customer.name}’s card?` })).toBeVisible()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(page.getByText('Refunded $5.00.')).toBeVisible()

  await signInAs(page, customer.email)
  await page.goto('/dashboard/myOrders')
  for (const text of ['Swift & Sons S-1', 'Swift & Sons S-2']) await expect(page.getByText(text)).toBeVisible()
  await expect(page.getByText(/\$5\.00/).first()).toBeVisible()
})

test(
  'changes the stock, the picture and the price of a product, hides it and shows it again',
  drill,
  async ({ page, javaScriptEnabled }) => {
    const [id, name] = javaScriptEnabled ? ['tuba-bbb', 'BBb Tuba'] : ['harp-lever-34', 'Lever Harp']
    await signInAs(page, 'admin@example.com')
    await page.goto('/dashboard/manageProduct')
    const row = page.getByRole('row', { name: new RegExp(name) })
    const stock = async () =>
      Number(
        await row
          .getByRole('cell')
          .nth(3)
          .textContent()
          .then((text) => text?.match(/\d+/)?.[0]),
      )
    const before = await stock()
    await row.getByText('Stock and more').click()
    await fillIn(row, { Pieces: '3', Reason: 'Found in the cellar' }, 'Add')
    await expect(page.getByText('3 added.')).toBeVisible()
    expect(await stock()).toBe(before + 3)
    await row.getByText('Stock and more').click()
    await row.getByRole('link', { name: 'History' }).click()
    await expect(page.getByText('Found in the cellar').first()).toBeVisible()

    await page.goto(`/dashboard/manageProduct/${id}`)
    const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#864' } })
      .jpeg()
      .toBuffer()
    await page
      .getByLabel('Picture', { exact: true })
      .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo })
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Product updated.')).toBeVisible()
    await page.goto('/allInstruments')
    const picture = page.getByRole('row', { name: new RegExp(name) }).locator('img')
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(60)
    expect(await picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/\/pictures\/[^/]+\/160\.avif$/)

    await page.goto('/dashboard/manageProduct')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    const edited = csv.replace(new RegExp(`("${id}",.*?,)"\\d+\\.\\d\\d",`), '$1"7777.77",')
    expect(edited).not.toBe(csv)
    await page.getByRole('link', { name: 'Import CSV' }).click()
    const file = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(edited) }
    await page.getByLabel('File').setInputFiles(file)
    await page.getByRole('button', { name: 'Check' }).click()
    await expect(page.getByText('No problems: 0 new, 1 changed')).toBeVisible()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('Imported: 0 new, 1 changed')).toBeVisible()
    await page.goto('/dashboard/manageProduct')
    await expect(row).toContainText('$7,777.77')

    await row.getByRole('button', { name: 'Hide' }).click()
    await expect(row.getByText('Hidden', { exact: true })).toBeVisible()
    expect((await page.goto(`/instruments/${id}`))!.status()).toBe(404)
    await page.goto('/dashboard/manageProduct')
    await row.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(row.getByText('Hidden', { exact: true })).toHaveCount(0)
    expect((await page.goto(`/instruments/${id}`))!.status()).toBe(200)
  },
)
