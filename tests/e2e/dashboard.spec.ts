import { asCustomer, delivery, expect, fillIn, test } from './shop'

test('thanks for a review and shows it on the home page as written', async ({ page, customer, shop }) => {
  const words = `The <b>bow</b> of ${customer.name} & its case`
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Add a Review' }).click()
  await fillIn(page, { Review: words }, 'Submit')
  await expect(page.getByRole('status')).toContainText('Thank you for your time and feedback!')
  await expect(page).toHaveURL(`${shop.url}/dashboard/addReview`)
  await expect(page.getByLabel('Review')).toHaveValue('')

  await page.goto('/')
  const card = page.getByRole('figure').filter({ hasText: words })
  await expect(card).toContainText(customer.name)
  await expect(card.locator('.portrait')).toHaveText(/^C\d$/)
})

asCustomer('shows an error beside an empty or too long review and preserves the input', async ({ page }) => {
  await page.goto('/dashboard/addReview')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.locator('.field .error')).toHaveText('Review is Required')
  await fillIn(page, { Review: 'x'.repeat(1001) }, 'Submit')
  await expect(page.locator('.field .error')).toHaveText('Review must be at most 1000 characters')
  await expect(page.getByLabel('Review')).toHaveValue('x'.repeat(1001))
  await expect(page.getByLabel('Review')).toHaveAttribute('aria-invalid', 'true')
})

test('fills in the next order from the profile', async ({ page, customer, shop }) => {
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'My Profile' }).click()
  await expect(page.getByLabel('Name')).toHaveValue(customer.name)
  await expect(page.getByLabel('Email')).toHaveValue(customer.email)
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await fillIn(page, { Name: 'Zoë 李', Image: '/art/avatar.svg', ...delivery }, 'Update Profile')
  await expect(page.getByRole('status')).toContainText('Your profile is updated')
  await expect(page).toHaveURL(`${shop.url}/dashboard/myProfile`)

  await page.goto('/instruments/flute-c')
  await expect(page.getByLabel('Name')).toHaveValue('Zoë 李')
  await expect(page.getByLabel('Address')).toHaveValue('1 Bow Lane\nCremona')
  await expect(page.getByLabel('Phone')).toHaveValue('+39 0372 555 0199')
  await fillIn(page, { 'Order quantity': '3' }, 'Order Now')
  await expect(page.getByRole('status')).toContainText('New order added. Please complete payment!')
})

test('shows profile errors, preserves the input and stores nothing', async ({ page, customer }) => {
  await page.goto('/dashboard/myProfile')
  await fillIn(
    page,
    { Name: '', Image: 'http://pictures.example/me.png', Address: '<b>1 Bow Lane</b>', Phone: '12345' },
    'Update Profile',
  )
  await expect(page.locator('.field').getByText('Name is Required')).toBeVisible()
  await expect(page.locator('.field').getByText('Image must start with https:// or /')).toBeVisible()
  await expect(page.locator('.field').getByText('Phone must be 11 digits')).toBeVisible()
  await expect(page.getByLabel('Image')).toHaveValue('http://pictures.example/me.png')
  await expect(page.getByLabel('Address')).toHaveValue('<b>1 Bow Lane</b>')
  await expect(page.getByLabel('Phone')).toHaveValue('12345')

  await page.goto('/dashboard/myProfile')
  await expect(page.getByLabel('Name')).toHaveValue(customer.name)
  await expect(page.getByLabel('Phone')).toHaveValue('')
})
