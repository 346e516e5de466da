import { and, eq, isNotNull } from 'drizzle-orm'
import { vi } from 'vitest'
import { emails, settingsVersions } from '../../app/db/schema'
import { emailKindNames } from '../../app/store/email/words.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { expect, orderInput, test, type Shop } from '../support/shop'

const list = '/dashboard/settings/emails'
const reset = `${list}/reset-password`

async function anOwnShop(shop: Shop) {
  await shop.changesSettings()
  const admin = await shop.admin()
  return { admin, browser: await shop.signedIn(admin), visitor: shop.visitor() }
}

async function askForReset(shop: Shop, email: string) {
  const visitor = shop.visitor()
  const sent = () => shop.deps.db.$count(emails, and(eq(emails.recipient, email), isNotNull(emails.sentAt)))
  const before = await sent()
  await visitor.press(await visitor.get('/forgot-password'), 'Send the link', { email })
  // It is written after the response.
  await vi.waitUntil(async () => (await sent()) > before, 5000)
  return shop.emailsTo(email)
}

test('lists each kind of email to customers, and says which are in words of the shop', async ({ shop }) => {
  const { browser } = await anOwnShop(shop)
  const settings = await browser.get('/dashboard/settings')
  expect(settings.page.querySelector(`main a[href="${list}"]`)?.text).toBe('Emails')
  const page = await browser.get(list)
  expect(page.page.querySelectorAll('main tbody a').map((link) => link.getAttribute('href'))).toEqual(
    emailKindNames.map((kind) => `${list}/${kind}`),
  )
  expect(page.page.querySelectorAll('.badge')).toHaveLength(0)
  await browser.press(await browser.get(reset), 'Save', { subject: 'A new password for {shop}' })
  const after = await browser.get(list)
  expect(after.page.querySelectorAll('tbody tr:has(.badge) a').map((link) => link.text)).toEqual(['New password'])
  expect((await browser.get('/dashboard/settings')).text).toContain('The Shopkeeper: Email “New password”')
  expect((await browser.get(`${list}/nothing`)).status).toBe(404)
  expect((await browser.get(`${list}/constructor`)).status).toBe(404)
})

test('sends the next email in the words of the shop, and with the default again', async ({ shop }) => {
  const { browser } = await anOwnShop(shop)
  await browser.press(await browser.get('/dashboard/settings'), 'Save', { name: 'Rosewood', tagline: 'harps' })
  const ada = await shop.customer({ name: 'Ada', email: 'ada@example.com' })
  const text = 'Dear customer of {shop},\n\n{link}\n\nconstructor\n\nThe link works for 10 minutes.'
  const saved = await browser.press(await browser.get(reset), 'Save', {
    subject: 'Key of {shop}',
    text,
    button: 'Open',
  })
  expect(saved.text).toContain('Saved.')
  const [own] = await askForReset(shop, ada.email)
  expect(own!.subject).toBe('Key of Rosewood')
  expect(own!.text).toMatch(
    /^Dear customer of Rosewood,\n\nOpen:\nhttp\S+reset-password\?token=\S+\n\nconstructor\n\nThe link works for 10 minutes\.\n\nRosewood, harps\nVia dei Liutai 4, 26100 Cremona, Italy\n\+1 555 010 0130\nYou get this email because /,
  )
  expect(own!.html).toMatch(
    /<p>Dear customer of Rosewood,<\/p>\n<p [^>]*><a class="button" href="http[^"]+" [^>]*>Open</,
  )
  const back = await browser.press(await browser.get(reset), 'Back to the default')
  expect(back.text).toContain('The default is back.')
  expect(back.page.querySelector('[name=subject]')?.getAttribute('value')).toBe('Choose a new password')
  const [first] = await askForReset(shop, ada.email)
  expect([first!.subject, first!.text.split('\n')[0]]).toEqual(['Choose a new password', 'Hello Ada,'])
})

test('fills in the facts of an order, and leaves out a paragraph whose variable has no value', async ({ shop }) => {
  const { browser } = await anOwnShop(shop)
  const text = 'Hi {name}: {quantity} of {product}, {total}.\n\n{link}\n\n{details}'
  await browser.press(await browser.get(`${list}/order-placed`), 'Save', { subject: '{product} ({order})', text })
  // The checker knows an email by the default subject.
  shop.skipInvariants('subjects of emails')
  const harp = await shop.sells({ name: '{link} <b>Harp</b>' })
  const ada = await shop.customer({ name: 'Ada', email: 'ada@example.com' })
  await placeOrder(shop.deps, ada, orderInput(harp))
  await shop.cron()
  const [mail] = await shop.emailsTo(ada.email)
  expect(mail!.subject).toMatch(/^\{link\} <b>Harp<\/b> \(C-\d+\)$/)
  expect(mail!.text).toMatch(
    /^Hi Ada: \d+ of \{link\} <b>Harp<\/b>, \$[\d.,]+\.\n\nPay \$[\d.,]+:\nhttp\S+\n\nOrder: C-/,
  )
  expect(mail!.html).toContain('of {link} &#60;b&#62;Harp&#60;/b&#62;,')
})

test('names an edit of the same email in conflict, and replaces it at the second press', async ({ shop }) => {
  const { browser } = await anOwnShop(shop)
  const bea = await shop.signedIn(await shop.admin())
  const open = await browser.get(reset)
  await bea.press(await bea.get(reset), 'Save', { subject: 'By Bea', button: 'Press' })
  await bea.press(await bea.get('/dashboard/settings'), 'Save', { tagline: 'by Bea' })
  const refused = await browser.press(open, 'Save', { subject: 'Mine' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('Subject: now “By Bea”. Save again to replace it.')
  const preview = await browser.press(refused, 'Preview')
  const saved = await browser.press(preview, 'Save')
  const value = (name: string) => saved.page.querySelector(`[name=${name}]`)?.getAttribute('value')
  expect([saved.text.includes('Saved.'), value('subject'), value('button')]).toEqual([true, 'Mine', 'Press'])
  expect((await browser.get('/dashboard/settings')).page.querySelector('[name=tagline]')?.getAttribute('value')).toBe(
    'by Bea',
  )
})

test('shows the preview as text and as HTML, and sends the admin a test, without storing the words', async ({
  shop,
}) => {
  const { admin, browser } = await anOwnShop(shop)
  const subject = 'Sent: {order}'
  const page = await browser.get(`${list}/order-shipped`)
  const preview = await browser.press(page, 'Preview', { subject })
  expect(preview.page.querySelector('.notice h2')?.text).toBe('Preview, not saved: Sent: C-1042')
  expect(preview.page.querySelector('.notice pre')?.text).toContain('Hello Ada,\n\nYour order is on its way to you.')
  const frame = preview.page.querySelector('iframe')
  expect(frame?.getAttribute('sandbox')).toBe('')
  expect(frame?.getAttribute('srcdoc')).toContain('Your order is on its way to you.')
  expect(preview.page.querySelector('[name=subject]')?.getAttribute('value')).toBe(subject)
  const policy = 'content-security-policy'
  expect(preview.headers.get(policy)).toContain("style-src-attr 'unsafe-inline'")
  expect(page.headers.get(policy)).not.toContain('unsafe-inline')

  const tested = await browser.press(preview, 'Send me a test')
  expect(tested.text).toContain(`A test is on its way to ${admin.email}.`)
  const [mail] = await shop.emailsTo(admin.email)
  expect([mail!.subject, mail!.text.includes('This is an example.')]).toEqual(['Test: Sent: C-1042', true])
  await browser.press(tested, 'Send me a test')
  expect(await shop.emailsTo(admin.email)).toHaveLength(1)
  expect(await shop.deps.db.$count(settingsVersions)).toBe(0)
})
