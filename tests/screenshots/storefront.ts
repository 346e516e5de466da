import type { Page } from '@playwright/test'
import { at, scene } from './scene'
import { fillIn } from '../e2e/fill-in'

/** What everybody may see, and what stands there when there is nothing to see. */
export function storefrontScenes(): void {
  scene('home', 'signed in', { as: 'customer' }, at('/'))
  scene('home', 'contact errors', {}, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.field').getByText('Message is Required').waitFor()
  })
  scene('home', 'contact sent', { withToast: true }, async ({ page }) => {
    await page.goto('/')
    const contact = page.getByRole('region', { name: 'Contact us' })
    await fillIn(contact, { Name: 'Grace', Email: 'grace@example.com' })
    await contact.getByRole('textbox', { name: 'Message' }).fill('Do you have a contrabassoon?')
    await contact.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Your message is on its way').waitFor({ state: 'attached' })
  })
  scene('home', 'empty', { shop: 'bare' }, at('/'))
  scene('all instruments', 'plain', {}, at('/allInstruments'))
  scene('all instruments', 'empty', { shop: 'bare' }, at('/allInstruments'))
  scene('reviews', 'empty', { shop: 'bare' }, at('/reviews'))
  scene('catalog file', 'printed', { print: true }, at('/catalog.html'))
  scene('without a line', 'copy', {}, async ({ page }) => {
    await page.goto('/allInstruments')
    await waitForCopy(page, '/allInstruments')
    await page.context().setOffline(true)
    await page.reload()
    await page.getByText('This is a copy').waitFor()
  })
  scene('without a line', 'no copy', {}, async ({ page }) => {
    await page.goto('/home')
    await waitForCopy(page, '/home')
    await page.context().setOffline(true)
    await page.goto('/allInstruments?max=3')
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  })
}

/** `waitForFunction` does not await a promise: it takes it for true. */
async function waitForCopy(page: Page, path: string): Promise<void> {
  await page.evaluate(async (wanted) => {
    while (!(await caches.match(wanted))) await new Promise(requestAnimationFrame)
  }, path)
}

/** What goes wrong. Each is sent as a page of the shop would send it, but for the mistake. */
export function failureScenes(): void {
  scene('failure', '404 signed in', { as: 'customer' }, at('/instruments/nothing'))
  scene('failure', '403 not an admin', { as: 'customer' }, async ({ page }) => {
    await page.goto('/dashboard/myProfile')
    await send(page, { action: '/dashboard/makeAdmin' })
    await page.getByText('You cannot make an admin').waitFor()
  })
  scene('failure', '403 from elsewhere', {}, async ({ page, shop }) => {
    await page.setContent(`<form method="post" action="${shop.url}/login"><button>Send</button></form>`)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('This request did not come from our shop').waitFor()
  })
  scene('failure', '405 nothing can be sent', {}, async ({ page }) => {
    await page.goto('/allInstruments')
    await send(page, { action: '/allInstruments' })
    await page.getByText('You cannot send anything to this address.').waitFor()
  })
  scene('failure', '413 too large', {}, async ({ page }) => {
    await page.goto('/login')
    await send(page, { action: '/login', text: 3_000_000 })
    await page.getByText('That is too long.').waitFor()
  })
  scene('failure', '415 not a form', {}, async ({ page }) => {
    await page.goto('/login')
    await send(page, { action: '/login', enctype: 'text/plain' })
    await page.getByText('This page only accepts forms.').waitFor()
  })
}

/** Takes the database of its shop away: the last scene of all. */
export function outageScene(): void {
  scene('failure', 'out of order', { shop: 'bare' }, async ({ page, shop }) => {
    await shop.cutOff()
    // What is kept would still be shown.
    await page.goto('/allInstruments?after=nothing')
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
  })
}

interface Sent {
  action: string
  enctype?: string
  /** How long its one field is. */
  text?: number
}

function send(page: Page, { action, enctype = 'application/x-www-form-urlencoded', text = 1 }: Sent): Promise<void> {
  return page.evaluate(
    (wanted) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: wanted.action, enctype: wanted.enctype })
      const field = document.createElement('textarea')
      Object.assign(field, { name: 'field', value: 'x'.repeat(wanted.text) })
      form.appendChild(field)
      document.body.appendChild(form)
      form.submit()
    },
    { action, enctype, text },
  )
}
