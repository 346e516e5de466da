import type { Email } from '../deps'

export function verificationEmail(to: { email: string; tokenHash: string; link: string }): Email {
  return renderEmail(`verify-email:${to.tokenHash}`, to.email, 'Please verify your email', to.link, [
    // No name: whoever registered may have written anything into it (R49).
    'Hello,',
    'Welcome to Cadenza. Please open this link to verify your email; it works once, for 24 hours:',
    to.link,
    'If you did not register with us, you can leave this mail unanswered.',
    'Cadenza',
  ])
}

export function passwordResetEmail(to: { email: string; name: string | null; tokenHash: string; link: string }): Email {
  return renderEmail(`reset-password:${to.tokenHash}`, to.email, 'Choose a new password', to.link, [
    to.name === null ? 'Hello,' : `Hello ${to.name},`,
    'Somebody, we hope you, asked for a new password at Cadenza. Please open this link to choose it; it works once, for 10 minutes:',
    to.link,
    'If it was not you, leave this mail unanswered: your password stays as it is.',
    'Cadenza',
  ])
}

export function signInLinkEmail(to: { email: string; tokenHash: string; link: string }): Email {
  return renderEmail(`sign-in:${to.tokenHash}`, to.email, 'Log in from a new browser', to.link, [
    'Hello,',
    'Many wrong passwords were tried for your account at Cadenza, so it takes none from a new browser for a while. If you want to log in now, open this link in your browser, within 30 minutes:',
    to.link,
    'Your password stays as it is. If you did not try to log in, you need not do anything.',
    'Cadenza',
  ])
}

/** `what` happened to the account, as a sentence. */
export function accountNotice(to: { email: string; id: string; subject: string; what: string; origin: string }): Email {
  const link = `${to.origin}/forgot-password`
  return renderEmail(`account:${to.id}`, to.email, to.subject, link, [
    'Hello,',
    to.what,
    'If it was you, you need not do anything. If it was not, choose a new password here: that ends every other sign-in.',
    link,
    'Cadenza',
  ])
}

export function contactEmails(from: { id: string; name: string; email: string; message: string; shopEmail: string }) {
  const lines = from.message.split('\n')
  return {
    toShop: renderEmail(`contact:${from.id}`, from.shopEmail, `Message from ${from.name}`, null, [
      `${from.name} <${from.email}> wrote:`,
      ...lines,
    ]),
    toSender: renderEmail(`contact-copy:${from.id}`, from.email, 'Your message to Cadenza', null, [
      `Hello ${from.name},`,
      'This is a copy of what you wrote to us. We answer as soon as we can.',
      ...lines,
      'Cadenza',
    ]),
  }
}

export function failedRefundEmail(refund: {
  refundId: string
  amount: string
  page: string
  shopEmail: string
}): Email {
  return renderEmail(
    `refund-undone:${refund.refundId}`,
    refund.shopEmail,
    `A refund of ${refund.amount} did not arrive`,
    refund.page,
    [
      `The refund ${refund.refundId} of ${refund.amount} did not reach its customer: their bank has sent it back, and Stripe does not try again.`,
      'Please send the money another way. This is the order:',
      refund.page,
    ],
  )
}

/** Only our own link becomes clickable, never a link in a visitor's text. */
function renderEmail(id: string, recipient: string, subject: string, link: string | null, paragraphs: string[]): Email {
  const html = paragraphs.map((text) => (text === link ? linkHtml(link) : paragraphHtml(text)))
  return { id, recipient, subject, text: paragraphs.join('\n\n'), html: documentHtml(html) }
}

export function documentHtml(body: string[]): string {
  return `<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5">${body.join('')}</body></html>`
}

export function paragraphHtml(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

export function linkHtml(link: string): string {
  const escaped = escapeHtml(link)
  return `<p><a href="${escaped}">${escaped}</a></p>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
