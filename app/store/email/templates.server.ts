import type { Email } from '../deps'

/** The mail that asks a new customer to prove an address. */
export function verificationEmail(to: { email: string; name: string; tokenHash: string; link: string }): Email {
  return renderEmail(`verify-email:${to.tokenHash}`, to.email, 'Please verify your email', to.link, [
    `Hello ${to.name},`,
    'Welcome to Cadenza. Please open this link to verify your email; it works once, for 24 hours:',
    to.link,
    'If you did not register with us, you can leave this mail unanswered.',
    'Cadenza',
  ])
}

/** The mail that lets somebody choose a new password. */
export function passwordResetEmail(to: { email: string; name: string; tokenHash: string; link: string }): Email {
  return renderEmail(`reset-password:${to.tokenHash}`, to.email, 'Choose a new password', to.link, [
    `Hello ${to.name},`,
    'Somebody, we hope you, asked for a new password at Cadenza. Please open this link to choose it; it works once, for 10 minutes:',
    to.link,
    'If it was not you, leave this mail unanswered: your password stays as it is.',
    'Cadenza',
  ])
}

/** A visitor's message as the shop gets it, and the copy that its sender may ask for. */
export function contactEmails(from: { id: string; name: string; email: string; message: string; shopEmail: string }) {
  const said = from.message.split('\n')
  return {
    toShop: renderEmail(`contact:${from.id}`, from.shopEmail, `Message from ${from.name}`, null, [
      `${from.name} <${from.email}> wrote:`,
      ...said,
    ]),
    toSender: renderEmail(`contact-copy:${from.id}`, from.email, 'Your message to Cadenza', null, [
      `Hello ${from.name},`,
      'This is a copy of what you wrote to us. We answer as soon as we can.',
      ...said,
      'Cadenza',
    ]),
  }
}

/** What the shop is told when a refund did not reach its customer. */
export function failedRefundEmail(of: { refundId: string; amount: string; page: string; shopEmail: string }): Email {
  return renderEmail(`refund-undone:${of.refundId}`, of.shopEmail, `A refund of ${of.amount} did not arrive`, of.page, [
    `The refund ${of.refundId} of ${of.amount} did not reach its customer: their bank has sent it back, and Stripe does not try again.`,
    'Please send the money another way. This is the order:',
    of.page,
  ])
}

/** Plain text and simple HTML of the same paragraphs. Only a link of our own can be clicked: what a visitor wrote is text. */
function renderEmail(id: string, recipient: string, subject: string, link: string | null, paragraphs: string[]): Email {
  const html = paragraphs.map((text) => (text === link ? linkHtml(link) : paragraphHtml(text)))
  return { id, recipient, subject, text: paragraphs.join('\n\n'), html: documentHtml(html) }
}

/** A whole mail of these pieces of HTML. */
export function documentHtml(body: string[]): string {
  return `<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5">${body.join('')}</body></html>`
}

/** A paragraph that says exactly this text. */
export function paragraphHtml(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

/** A paragraph with a link that shows where it leads. */
export function linkHtml(link: string): string {
  const escaped = escapeHtml(link)
  return `<p><a href="${escaped}">${escaped}</a></p>`
}

/** The text as HTML that says it, in an element or between quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
