import { shopName } from '../../shop-name'
import { day } from '../shared/dates'
import type { Deps } from '../deps'
import { retention, searchMonths } from '../shared/limits'
import { cookies, storage, type StoredInBrowser } from './stored'

/** A page to begin with: the shopkeeper reads it, changes it and publishes it. Nothing of it is legal advice. */
export interface Starter {
  name: string
  title: string
  slug: string
  footer: string
  body: string
}

/** What the starters name of this shop. */
export type StarterFacts = Pick<
  Deps,
  'origin' | 'shopEmail' | 'seller' | 'holdMs' | 'reviewDays' | 'keepOrdersYears'
> & {
  returns: string | null
}

const hour = 60 * 60 * 1000

function lifeOf(ms: number | null): string {
  if (ms === null) return 'until you close the browser'
  const count = (value: number, unit: string) => `${value} ${unit}${value === 1 ? '' : 's'}`
  if (ms % day === 0) return count(ms / day, 'day')
  return ms % hour === 0 ? count(ms / hour, 'hour') : count(ms / 60_000, 'minute')
}

const listOf = (items: StoredInBrowser[]) =>
  items.map(({ name, why, lasts }) => `- \`${name}\` ${why}: ${lifeOf(lasts)}`).join('\n')

/** In Markdown a letter of a name or an address must not become a sign. */
const plain = (text: string) => text.replace(/[\\`*_[\]<>#]/g, '\\$&')

function whoWeAre({ origin, shopEmail, seller }: StarterFacts): string {
  const lines = seller ? `${plain(seller.name)}, ${plain(seller.address.split('\n').join(', '))}` : shopName
  const vat = seller?.vatNumber ? ` VAT number ${plain(seller.vatNumber)}.` : ''
  return `${shopName} at ${plain(origin)} is run by ${lines}.${vat} Write to [${plain(shopEmail)}](mailto:${shopEmail}).`
}

/** Terms, privacy, cookies and returns, with what this shop really stores and sets, and for how long. */
export function starters(facts: StarterFacts): Starter[] {
  return [
    {
      name: 'terms',
      title: 'Terms of use',
      slug: 'terms-of-use',
      footer: 'Terms of use',
      body: terms(facts),
    },
    {
      name: 'privacy',
      title: 'Privacy policy',
      slug: 'privacy-policy',
      footer: 'Privacy policy',
      body: privacy(facts),
    },
    { name: 'cookies', title: 'Cookie policy', slug: 'cookie-policy', footer: 'Cookie policy', body: cookiePolicy() },
    { name: 'returns', title: 'Returns', slug: 'returns', footer: 'own', body: returns(facts) },
  ]
}

function terms(facts: StarterFacts): string {
  const hold =
    facts.holdMs > 0 ? `We hold the pieces for ${lifeOf(facts.holdMs)}; an unpaid order is then cancelled.` : ''
  return `${whoWeAre(facts)}

## Ordering

An instrument has a minimum order and a price per piece in US dollars. Tax is contained in the price and shipping is included. Your order is placed with *Order Now* and becomes a contract when it is paid. ${hold}

## Paying

You pay by card at Stripe. We never see the number of your card. An order that is not paid can be cancelled under My Orders.

## Delivery

We ship paid orders and email you the tracking number when the carrier gives one.

## Invoices

Every paid order has an invoice and a receipt.

## Your account

Keep your password to yourself. We may close accounts that are used to harm others.

## Reviews

A review shows your name. We hide what has nothing to do with the shop or its instruments.`
}

function privacy(facts: StarterFacts): string {
  const days = (ms: number) => `${ms / day} days`
  return `${whoWeAre(facts)}

## What we store, and for how long

- **Your account**: name, email, password as a hash, and if you give them address, phone number and picture, until you close it.
- **Orders**: what you ordered, name, email, address and phone number. Paid orders keep them for ${facts.keepOrdersYears} whole years after the year of the payment, as the law asks of our books; unpaid ones lose them when you close your account.
- **Sessions**: the name of your browser, for 7 days without use and ${lifeOf(30 * day)} at most.
- **Emails that we sent**: their texts until they are sent, recipient and subject for ${days(retention.sentEmails)}.
- **Emails that could not be delivered**: ${days(retention.undeliverableEmails)} after the last try.
- **Emails to you**: about your orders, one before an unpaid order is cancelled${facts.reviewDays > 0 ? `, and ${facts.reviewDays} days after a delivery was sent perhaps one that asks for a review, which a link in it ends for good` : ''}.
- **Messages to us**: ${days(retention.contactMessages)}.
- **Searches that found nothing**: their words and how often, by month, for ${searchMonths} months, without anything about who searched.
- **What we tell programs of our own** about orders, without names and addresses: ${days(retention.webhookDeliveries)}.
- **Reviews**: until you close your account, then without your name.
- **Network addresses**: as long as a limit against misuse counts, and half of each in our logs for a few days.

## Who works for us

- **Stripe** takes the payment and has the data of your card.
- **Resend** delivers our emails.
- **Cloudflare** runs the shop, and **Turso** its database.
- **Google**, only if you sign in with Google: it tells us your name and email.

We show no advertisements, follow nobody and give your data to nobody else.

## Your rights

Under My Profile you download all that we have about you, and close your account. For anything else write to us. You may also complain to the authority for data protection of your country.

What we keep in your browser is in our [cookie policy](/pages/cookie-policy).`
}

function cookiePolicy(): string {
  return `${shopName} sets no cookies for advertising or statistics. Reading the shop needs none. These are set when you sign in, order or send a form, and are needed for that:

${listOf(cookies)}

On the web they have \`__Host-\` or \`__Secure-\` before their names.

## Beside cookies

- Public pages and pictures that you have seen are copied to your browser, so that you can read them offline. Clear the data of this site to remove them.
${listOf(storage)}

On the payment page, Stripe sets cookies of its own against fraud.`
}

function returns(facts: StarterFacts): string {
  const rule = facts.returns
    ? plain(facts.returns)
    : 'You may send an instrument back within 14 days after it arrived, unused and in its case.'
  return `${rule}

1. Write to [${plain(facts.shopEmail)}](mailto:${facts.shopEmail}) with the number of your order, and say what is wrong.
2. We answer with the address to send it to.
3. When it has arrived we refund the price to the card that you paid with, and email you the sum.

An instrument that arrives damaged or is not the one that you ordered goes back at our cost. Consumers have rights by law that this page does not limit.`
}
