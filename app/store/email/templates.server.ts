import type { Email } from '../deps'
import { timeZone } from '../shared/dates'
import { renderEmail } from './layout.server'
import { writeEmail, type StoredEmail } from './outbox.server'
import { inWords } from './write-words.server'
import { t } from '../../i18n/language'
import { translate } from '../../i18n/translate'
import { localPath } from '../../i18n/paths'

const notYou = () => t('If it was not you, ignore this email.')

export function verificationEmail(to: { email: string; tokenHash: string; link: string }): StoredEmail {
  return writeEmail('verify-email', to.tokenHash, {
    recipient: to.email,
    ...inWords('verify-email', { link: to.link }),
    reason: `${t('You get this email because this address was registered in our shop.')} ${notYou()}`,
  })
}

export function passwordResetEmail(to: {
  email: string
  name: string | null
  tokenHash: string
  link: string
}): StoredEmail {
  return writeEmail('reset-password', to.tokenHash, {
    recipient: to.email,
    ...inWords('reset-password', {
      greeting: to.name === null ? t('Hello,') : t('Hello {name},', { name: to.name }),
      link: to.link,
    }),
    reason: `${t('You get this email because a new password was requested for this address.')} ${notYou()} ${t('Your password stays the same.')}`,
  })
}

export function signInLinkEmail(to: { email: string; tokenHash: string; link: string }): StoredEmail {
  return writeEmail('sign-in', to.tokenHash, {
    recipient: to.email,
    ...inWords('sign-in', { link: to.link }),
    reason: `${t('You get this email because logging in to your account failed many times.')} ${notYou()} ${t('Your password stays the same.')}`,
  })
}

/** `what` happened to the account, as a sentence. */
export function accountNotice(to: {
  email: string
  id: string
  subject: string
  what: string
  origin: string
}): StoredEmail {
  return writeEmail('account', to.id, {
    recipient: to.email,
    ...inWords('account', {
      title: translate(to.subject),
      change: translate(to.what),
      link: to.origin + localPath('/forgot-password'),
    }),
    reason: t('You get this email because your account in our shop has changed.'),
  })
}

/** At most one for each `day` (a number). */
export function wrongCodesEmail(to: { email: string; userId: string; day: number; origin: string }): StoredEmail {
  return writeEmail('wrong-codes', `${to.userId}:${to.day}`, {
    recipient: to.email,
    ...inWords('wrong-codes', { link: to.origin + localPath('/forgot-password') }),
    reason: t('You get this email because your account in our shop has a second factor. It comes once a day at most.'),
  })
}

/** The last email to a customer; `id` is the user's. */
export function accountClosedEmail({ id, email, origin }: { id: string; email: string; origin: string }): StoredEmail {
  return writeEmail('account-closed', id, {
    recipient: email,
    ...inWords('account-closed', { link: origin }),
    reason: t('You get this email because the account of this address in our shop was closed.'),
  })
}

/** Without the customer's name: the shop may keep it as long as its backups. */
export function accountClosedShopEmail({ id, shopEmail }: { id: string; shopEmail: string }): StoredEmail {
  return writeEmail('account-closed-shop', id, {
    recipient: shopEmail,
    subject: 'An account is closed',
    paragraphs: [
      `The customer with the number ${id} has closed the account.`,
      'Keep this email as long as your backups. After a restore of an older one, the account has to be closed again:',
      `npm run task -- close-account ${id}`,
    ],
    reason: toShop,
  })
}

export function contactEmails(from: { id: string; name: string; email: string; message: string; shopEmail: string }) {
  return {
    toShop: writeEmail('contact', from.id, {
      recipient: from.shopEmail,
      subject: `Message from ${from.name}`,
      paragraphs: [`${from.name} <${from.email}> wrote:`, from.message],
      reason: `Sent with the contact form of the shop. A reply goes to ${from.email}.`,
    }),
    toSender: writeEmail('contact-copy', from.id, {
      recipient: from.email,
      ...inWords('contact-copy', { name: from.name, message: from.message }),
      reason: `${t('You get this email because a copy was requested with our contact form.')} ${notYou()}`,
    }),
  }
}

/** `id`: of the reply. */
export function messageReplyEmail(
  to: { id: string; name: string; email: string; message: string },
  { reply, shopEmail }: { reply: string; shopEmail: string },
): StoredEmail {
  return writeEmail('message-reply', to.id, {
    recipient: to.email,
    ...inWords('message-reply', { name: to.name, reply, message: to.message }),
    reason: `You get this email because you wrote to our shop. Write again to ${shopEmail}.`,
  })
}

const toShop = 'You get this email because it concerns your shop.'

/** `threshold` is null if it was removed since. */
export function lowStockEmail(stock: {
  id: string
  name: string
  available: number
  threshold: number | null
  page: string
  shopEmail: string
}): Email {
  const wish = stock.threshold === null ? '' : ` You wanted an email at ${stock.threshold}.`
  return renderEmail({
    id: stock.id,
    recipient: stock.shopEmail,
    subject: `Low stock: ${stock.name}`,
    paragraphs: [
      `The stock of ${stock.name} has fallen. ${stock.available} left now.${wish}`,
      { button: { text: 'View the product', link: stock.page } },
    ],
    reason: toShop,
  })
}

/** `url` is the address of the endpoint. */
export function webhookOffEmail(to: {
  id: string
  url: string
  reason: string
  origin: string
  shopEmail: string
}): StoredEmail {
  return writeEmail('webhook-off', to.id, {
    recipient: to.shopEmail,
    subject: 'A webhook is switched off',
    paragraphs: [
      `We no longer send events to ${to.url}. ${to.reason}.`,
      'What waited for it is kept for 14 days. When it works again, send a test event: an answer switches it on, and what was kept goes out.',
      { button: { text: 'View the webhooks', link: `${to.origin}/dashboard/settings/webhooks` } },
    ],
    reason: toShop,
  })
}

/** `shortage` is null if it can still be ordered. */
export function backInStockEmail(stock: {
  id: string
  recipient: string
  name: string
  available: number
  minimum: number
  shortage: string | null
  page: string
  unsubscribe: string
}): Email {
  const { id, recipient, name, available, minimum, shortage, page, unsubscribe } = stock
  const facts = {
    product: name,
    available: String(available),
    minimum: String(minimum),
    link: page,
    unsubscribe: { from: t('Other instruments'), link: unsubscribe },
  }
  const email = renderEmail({
    id,
    recipient,
    ...(shortage ? inWords('back-in-stock-short', { ...facts, shortage }) : inWords('back-in-stock', facts)),
    reason: t('You get this one email because you asked for it in our shop.'),
  })
  return { ...email, unsubscribe }
}

/** A shipped order of an instrument that the customer has not reviewed; `form` is the address of the form. */
export function reviewEmail(shipped: {
  id: string
  recipient: string
  customerName: string
  productName: string
  form: string
  unsubscribe: string
}): Email {
  const { id, recipient, customerName, productName, form, unsubscribe } = shipped
  const email = renderEmail({
    id,
    recipient,
    ...inWords('review-wanted', {
      ...{ name: customerName, product: productName, link: form },
      unsubscribe: { from: t('Other purchases'), link: unsubscribe },
    }),
    reason: t('You get this one email because you bought this instrument in our shop.'),
  })
  return { ...email, unsubscribe }
}

export function dailySummaryEmail(summary: {
  /** Such as `2026-11-24`: there is one email for each day. */
  day: string
  rows: [name: string, value: string][]
  page: string
  shopEmail: string
}): StoredEmail {
  return writeEmail('daily summary', summary.day, {
    recipient: summary.shopEmail,
    subject: `Your shop on ${summary.day}`,
    paragraphs: [
      `This was yesterday, from midnight to midnight ${timeZone}, and what waits now.`,
      { rows: summary.rows },
      { button: { text: 'View the dashboard', link: summary.page } },
    ],
    reason: `${toShop} Change it at ${summary.page}/shopEmails.`,
  })
}

export function failedRefundEmail(refund: {
  refundId: string
  amount: string
  page: string
  shopEmail: string
}): StoredEmail {
  return writeEmail('refund-undone', refund.refundId, {
    recipient: refund.shopEmail,
    subject: `A refund of ${refund.amount} did not arrive`,
    paragraphs: [
      `The refund ${refund.refundId} of ${refund.amount} did not reach the customer. Their bank returned it, and Stripe does not try again.`,
      'Please pay it back another way.',
      { button: { text: 'View the order', link: refund.page } },
    ],
    reason: 'You get this email because it concerns an order in your shop.',
  })
}

/** The customer asks the payment of an order back from the bank. Once for an inquiry, and once for a dispute. */
export function disputeEmail(dispute: {
  disputeId: string
  state: 'inquiry' | 'open' | 'lost'
  /** Such as `C-1042`. */
  number: string
  amount: string
  reason: string
  /** Null: the bank takes no answer, or has one. */
  dueBy: string | null
  page: string
  shopEmail: string
}): StoredEmail {
  const { disputeId, state, number, amount, reason, dueBy } = dispute
  const [subject, what] = {
    inquiry: [
      `A bank asks about the payment of ${number}`,
      'The customer’s bank asks what this payment was for. It has taken no money yet. A full refund ends the inquiry too.',
    ],
    open: [
      `The payment of ${number} is disputed`,
      'The customer has asked the bank for the money back. Stripe has taken it, with a fee, from your balance until the bank decides.',
    ],
    lost: [
      `The payment of ${number} is disputed and lost`,
      'The customer has asked the bank for the money back, and the bank has decided against you.',
    ],
  }[state]
  return writeEmail('dispute', `${disputeId}:${state === 'inquiry' ? 'inquiry' : 'dispute'}`, {
    recipient: dispute.shopEmail,
    subject: dueBy ? `${subject}: answer by ${dueBy}` : subject!,
    paragraphs: [
      what!,
      ...(dueBy
        ? ['Answer it at Stripe, with what proves the order and its delivery. Without an answer it is lost.']
        : []),
      `The order is not among those to ship.${state === 'inquiry' ? '' : ' Do not refund it as well.'}`,
      {
        rows: [
          ['Order', number],
          ['Amount', amount],
          ['Reason', reason],
          ...(dueBy ? [['Answer by', dueBy] as [string, string]] : []),
          ['Dispute', disputeId],
        ],
      },
      { button: { text: 'View the order', link: dispute.page } },
    ],
    reason: toShop,
  })
}

/** About a payment that a restored shop found at the provider. */
export function unmatchedPaymentEmail(payment: {
  transactionId: string
  amount: string
  customerEmail: string | null
  orderId: string
  /** The order is there and could not take the payment, which is refunded. */
  hasOrder: boolean
  page: string
  shopEmail: string
}): StoredEmail {
  const { transactionId, amount, customerEmail, orderId, hasOrder, page } = payment
  return writeEmail('unmatched-payment', transactionId, {
    recipient: payment.shopEmail,
    subject: hasOrder ? `A payment of ${amount} is refunded` : `A payment of ${amount} has no order`,
    paragraphs: [
      ...(hasOrder
        ? ['The shop found a payment at Stripe that its order could not take. The customer gets the money back.']
        : [
            'A customer has paid for an order that the shop does not have. A restored database loses the orders since the backup.',
            'Please ask the customer: refund the payment, or send the instrument and keep it. The page of the payment at Stripe has a button for the refund.',
          ]),
      {
        rows: [
          ['Payment', transactionId],
          ['Amount', amount],
          ['Customer', customerEmail ?? 'not known: see the payment at Stripe'],
          ['Order', orderId],
        ],
      },
      { button: { text: hasOrder ? 'View the order' : 'View the dashboard', link: page } },
    ],
    reason: toShop,
  })
}
