import { drill, expect, fillIn, signInAs, test } from './shop'

test(
  'adds rows of a specification, saves with Enter, and shows long words on a narrow phone',
  drill,
  async ({ page, javaScriptEnabled }) => {
    await page.setViewportSize({ width: 320, height: 740 })
    await signInAs(page, 'admin@example.com')
    await page.goto('/dashboard/addProduct')
    const name = `Serpent ${javaScriptEnabled ? 1 : 2}`
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Property 1').fill('N'.repeat(40))
    await page.getByLabel('Value 1').fill('v'.repeat(200))
    await page.getByRole('button', { name: 'Add a row' }).click()
    await expect(page.getByLabel('Property 2')).toBeInViewport()
    // Without scripts, the address of the form leads there.
    if (javaScriptEnabled) await expect(page.getByLabel('Property 2')).toBeFocused()
    await expect(page.getByLabel('Value 1')).toHaveValue('v'.repeat(200))
    const fields = { 'Property 2': 'Key', 'Value 2': 'C', 'Image URL': '/plates/oboe.svg', Price: '10' }
    await fillIn(page, { ...fields, 'Available quantity': '5', 'Minimum quantity': '1' }, 'Add Product')
    await expect(page.getByRole('status')).toContainText('New Product added!')

    await page.goto(`/catalog/${name.toLowerCase().replace(' ', '-')}`)
    const table = page.getByRole('table', { name: 'Specification' })
    await expect(table.getByRole('row')).toHaveCount(2)
    await expect(table.getByRole('rowheader', { name: 'Key' })).toBeVisible()
    const tooWide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(tooWide).toBe(0)

    // Enter presses the first button of a form.
    await page.goto('/dashboard/manageProduct/oboe')
    await page.getByLabel('Name', { exact: true }).press('Enter')
    await expect(page.getByRole('status')).toContainText('Product updated.')
  },
)
