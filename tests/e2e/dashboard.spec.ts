import { expect, test } from './shop'

test('a customer writes a review, is thanked, and finds it on the home page as it was written', async ({
  page,
  customer,
  shop,
}) => {
  const words = `The <b>bow</b> of ${customer.name} & its case`
  await page.getByRole('link', { name: 'Add a Review' }).click()
  await page.getByLabel('Review').fill(words)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('status')).toContainText('Thank you for your time and feedback!')
  await expect(page).toHaveURL(`${shop.url}/dashboard/addReview`)
  await expect(page.getByLabel('Review')).toHaveValue('')

  await page.goto('/')
  const card = page.getByRole('figure').filter({ hasText: words })
  await expect(card).toContainText(customer.name)
  await expect(card.locator('img')).toHaveAttribute('src', '/art/avatar.svg')
})

test('a review that is missing or too long says so beside the field and keeps what was typed', async ({
  page,
  customer,
}) => {
  expect(customer.email).toBeTruthy()
  await page.goto('/dashboard/addReview')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert')).toHaveText('Review is Required')
  await page.getByLabel('Review').fill('x'.repeat(1001))
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert')).toHaveText('Review must be at most 1000 characters')
  await expect(page.getByLabel('Review')).toHaveValue('x'.repeat(1001))
  await expect(page.getByLabel('Review')).toHaveAttribute('aria-invalid', 'true')
})
