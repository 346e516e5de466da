import type { Page } from '@playwright/test'
import { fillIn, order, orderToPay, payInCardForm } from '../e2e/shop'
import type { SignedInBrowsers } from './people'
import { long } from '../support/long-texts'

interface Product {
  name: string
  description?: string
  available: number
  minimum: number
}

/** Puts a product on sale, by the form for it. */
export async function addProduct(page: Page, { name, description = '', available, minimum }: Product): Promise<void> {
  await page.goto('/dashboard/addProduct')
  await fillIn(
    page,
    {
      Name: name,
      'Image URL': '/plates/bassoon.svg',
      Description: description,
      Price: '12345.67',
      'Available quantity': String(available),
      'Minimum quantity': String(minimum),
    },
    'Add Product',
  )
  await page.getByText('New Product added!').waitFor()
}

/** Adds instruments that are short, and orders in every state. */
export async function addDemoBusiness(browsers: SignedInBrowsers): Promise<void> {
  const admin = await browsers.newPage('admin', true)
  await addProduct(admin, { name: long.product, description: long.description, available: 500_000, minimum: 12 })
  await addProduct(admin, { name: 'Serpent in C', available: 0, minimum: 1 })
  await addProduct(admin, { name: 'Ophicleide', available: 1, minimum: 2 })

  const customer = await browsers.newPage('customer', true)
  await buy(customer, 'violin-4-4', 2)
  await buy(customer, 'trumpet-bb', 2)
  await order(customer, 'oboe', 1)
  await customer.getByRole('row', { name: /Oboe/ }).getByRole('button', { name: 'Cancel' }).click()
  await customer.getByText('Order Cancelled!').waitFor()
  await order(customer, 'viola-16', 3)
  await customer.close()

  await admin.goto('/dashboard/manageOrders')
  await admin
    .getByRole('row', { name: /Violin/ })
    .getByRole('button', { name: 'Ship Now' })
    .click()
  await admin.getByText('Order marked as shipped.').waitFor()
  await admin.close()

  const wordy = await browsers.newPage('wordy', true)
  const wanted = await slugOf(wordy, long.product)
  await order(wordy, wanted, 24)
  await wordy.goto('/dashboard/addReview')
  await fillIn(wordy, { Review: long.review }, 'Submit')
  await wordy.getByText('Thank you for your time and feedback!').waitFor()
  await wordy.close()
}

/** The last part of the address of an instrument that is found by its name. */
export async function slugOf(page: Page, name: string): Promise<string> {
  await page.goto('/allInstruments')
  const link = page.getByRole('row', { name }).getByRole('link', { name: 'PURCHASE' })
  return (await link.getAttribute('href'))!.split('/').at(-1)!
}

async function buy(page: Page, instrument: string, quantity: number): Promise<void> {
  await orderToPay(page, instrument, quantity)
  await payInCardForm(page, '4242 4242 4242 4242')
  await page.getByText('Your payment is successful!').waitFor()
}
