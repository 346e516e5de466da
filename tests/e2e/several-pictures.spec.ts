import sharp from 'sharp'
import { drill, expect, fillIn, signInAs, test } from './shop'

test(
  'adds, describes and moves pictures in the product form, and shows them in a row that moves sideways',
  drill,
  async ({ page, javaScriptEnabled }) => {
    const name = `Rebec ${javaScriptEnabled ? 1 : 2}${test.info().repeatEachIndex}`
    const photo = (background: string) =>
      sharp({ create: { width: 300, height: 300, channels: 3, background } })
        .png()
        .toBuffer()
    const files = [
      { name: 'front.png', mimeType: 'image/png', buffer: await photo('#864') },
      { name: 'back.png', mimeType: 'image/png', buffer: await photo('#468') },
    ]
    await page.setViewportSize({ width: 360, height: 740 })
    await signInAs(page, 'admin@example.com')
    await page.goto('/dashboard/addProduct')
    await page.getByLabel('Pictures').setInputFiles(files)
    if (javaScriptEnabled) {
      await page.getByText('More pictures, alt texts').click()
      await expect(page.getByRole('img', { name: 'back.png' })).toBeVisible()
      await page.getByLabel('New alt text 2').fill('The back')
    }
    const fields = { Price: '10', 'Available quantity': '5', 'Minimum quantity': '1' }
    await page.getByLabel('Name', { exact: true }).fill(name)
    await fillIn(page, fields, 'Add Product')
    await expect(page.getByRole('status')).toContainText('New Product added!')

    await page.goto('/dashboard/manageProduct?q=rebec')
    await page.getByRole('link', { name, exact: true }).click()
    if (!javaScriptEnabled) await page.getByLabel('Alt text 2').fill('The back')
    await page.getByLabel('Place 2').selectOption('1')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('status')).toContainText('Product updated.')

    await page.goto(`/catalog/${name.toLowerCase().replace(' ', '-')}`)
    const pictures = page.locator('.gallery li')
    await expect(pictures).toHaveCount(2)
    await expect(pictures.first().getByRole('img', { name: 'The back' })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Purchase' })).toBeInViewport({ ratio: 1 })
    await pictures.last().getByRole('link').focus()
    await pictures.last().scrollIntoViewIfNeeded()
    await expect(pictures.last().getByRole('img')).toBeInViewport({ ratio: 0.9 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/pictures\/.*\/300\.webp$/)
  },
)
