import type { Language } from '../../i18n/language'
import { cutText } from '../shared/text'

/* What customers read in emails, and what of it an admin can change. The layout, the reason at the foot and the signature are ours. */

export interface EmailWords {
  subject: string
  /** Paragraphs, with an empty line between them. One that has a variable without a value is left out. */
  text: string
  /** Of the button; empty: the email has none. */
  button: string
}

interface Variable {
  /** What stands there, for the shopkeeper. */
  means: string
  /** For the preview; those of a block are in `sampleBlocks`. */
  sample: string
  /** Without it the email would be of no use. */
  needed?: true
}

interface EmailKind extends EmailWords {
  /** The same in German. */
  de: EmailWords
  label: string
  /** When it is sent. */
  sent: string
  variables: Record<string, Variable>
  /** In paragraphs of their own; each is needed. */
  blocks: readonly Block[]
}

/** `link`: the button. `details`: a table. `unsubscribe`: the link that ends emails of this kind. */
export type Block = 'link' | 'details' | 'unsubscribe'

export const blockMeanings: Record<Block, string> = {
  link: 'the button with the link',
  details: 'the table with the facts',
  unsubscribe: 'the link that ends such emails',
}

const name = { means: 'the customer’s name', sample: 'Ada' }
const quantity = { means: 'the pieces', sample: '3' }
const product = { means: 'the instrument', sample: 'Viola' }
const reply = { means: 'your reply to the request', sample: 'With cases.', needed: true } as const
const order = {
  name,
  order: { means: 'the number of the order', sample: 'C-1042' },
  quantity,
  product,
  total: { means: 'the total', sample: '$33.03' },
}
const stock = {
  product,
  available: { means: 'the pieces in stock', sample: '4' },
  minimum: { means: 'the minimum order', sample: '2' },
}
const ofOrder = { blocks: ['details', 'link'] } as const

/** By their addresses below `/dashboard/settings/emails`. */
export const emailKinds = {
  'order-placed': {
    ...{ label: 'Order', sent: 'After an order, until it is paid.' },
    subject: 'Your order: {order}, {quantity} × {product}',
    text: 'Hello {name},\n\nThank you for your order. Please pay {total} by card.\n\nYour pieces are reserved until {until}.\n\n{details}\n\n{link}',
    button: 'Pay {total}',
    de: {
      subject: 'Ihre Bestellung: {order}, {quantity} × {product}',
      text: 'Guten Tag {name},\n\nvielen Dank für Ihre Bestellung. Bitte bezahlen Sie {total} mit Karte.\n\nIhre Stücke sind reserviert bis: {until}.\n\n{details}\n\n{link}',
      button: '{total} bezahlen',
    },
    variables: {
      ...order,
      until: { means: 'the end of the reservation, or “you pay or cancel”', sample: '2 Nov 2026, 11:05 UTC' },
    },
    ...ofOrder,
  },
  'order-placed-paid': {
    ...{ label: 'Order, paid already', sent: 'In place of it, when the payment was faster than the email.' },
    subject: 'Your order: {order}, {quantity} × {product}',
    text: 'Hello {name},\n\nThank you for your order.\n\n{details}\n\n{link}',
    button: 'View the order',
    de: {
      subject: 'Ihre Bestellung: {order}, {quantity} × {product}',
      text: 'Guten Tag {name},\n\nvielen Dank für Ihre Bestellung.\n\n{details}\n\n{link}',
      button: 'Bestellung ansehen',
    },
    variables: order,
    ...ofOrder,
  },
  'order-hold-ends': {
    ...{ label: 'Not paid yet', sent: 'A day before an unpaid order is cancelled.' },
    subject: 'Not paid yet: {order}, {quantity} × {product}',
    text: 'Hello {name},\n\nYour order is not paid yet. Your pieces are reserved until {until}. Then we cancel it, and nothing is charged.\n\n{details}\n\n{link}',
    button: 'Pay {total}',
    de: {
      subject: 'Noch nicht bezahlt: {order}, {quantity} × {product}',
      text: 'Guten Tag {name},\n\nIhre Bestellung ist noch nicht bezahlt. Ihre Stücke sind bis {until} reserviert. Danach stornieren wir die Bestellung, und es wird nichts abgebucht.\n\n{details}\n\n{link}',
      button: '{total} bezahlen',
    },
    variables: {
      ...order,
      until: { means: 'the end of the reservation', sample: '2 Nov 2026, 11:05 UTC', needed: true },
    },
    ...ofOrder,
  },
  'order-paid': {
    ...{ label: 'Receipt', sent: 'After a payment, and when a customer asks for it again.' },
    subject: 'Receipt: {order}, {quantity} × {product}',
    text: 'Hello {name},\n\nThank you. We have received your payment of {total}. This is your receipt.\n\n{details}\n\n{link}',
    button: 'View the receipt',
    de: {
      subject: 'Quittung: {order}, {quantity} × {product}',
      text: 'Guten Tag {name},\n\nvielen Dank. Wir haben Ihre Zahlung von {total} erhalten. Dies ist Ihre Quittung.\n\n{details}\n\n{link}',
      button: 'Quittung ansehen',
    },
    variables: order,
    ...ofOrder,
  },
  'order-shipped': {
    ...{ label: 'On its way', sent: 'When an order is shipped.' },
    subject: 'On its way: {order}, {quantity} × {product}',
    text: 'Hello {name},\n\nYour order is on its way to you.\n\n{details}\n\n{link}',
    button: 'View the receipt',
    de: {
      subject: 'Unterwegs: {order}, {quantity} × {product}',
      text: 'Guten Tag {name},\n\nIhre Bestellung ist auf dem Weg zu Ihnen.\n\n{details}\n\n{link}',
      button: 'Quittung ansehen',
    },
    variables: order,
    ...ofOrder,
  },
  'order-cancelled': {
    ...{ label: 'Cancelled', sent: 'When an unpaid order is cancelled, or was not paid in time.' },
    subject: 'Cancelled: {order}, {quantity} × {product}',
    text: 'Hello {name},\n\n{reason}\n\n{details}\n\n{link}',
    button: 'Order again',
    de: {
      subject: 'Storniert: {order}, {quantity} × {product}',
      text: 'Guten Tag {name},\n\n{reason}\n\n{details}\n\n{link}',
      button: 'Noch einmal bestellen',
    },
    variables: {
      ...order,
      reason: {
        ...{ means: 'why, as a sentence', sample: 'You cancelled this order. Nothing was charged.' },
        needed: true,
      },
    },
    ...ofOrder,
  },
  refund: {
    ...{ label: 'Refund', sent: 'When you refund an order or a part of it.' },
    subject: 'Refund: {sum} for {order}',
    text: 'Hello {name},\n\nWe have refunded {sum} of your order to your card. Banks take 5 to 10 days to show it.\n\nReason: {reason}\n\n{details}\n\n{link}',
    button: 'View the order',
    de: {
      subject: 'Erstattung: {sum} für {order}',
      text: 'Guten Tag {name},\n\nwir haben {sum} Ihrer Bestellung auf Ihre Karte erstattet. Es dauert 5 bis 10 Tage, bis Ihre Bank das anzeigt.\n\nGrund: {reason}\n\n{details}\n\n{link}',
      button: 'Bestellung ansehen',
    },
    variables: {
      ...order,
      sum: { means: 'what was refunded', sample: '$2.02', needed: true },
      reason: { means: 'your reason, if there is one', sample: 'Dent', needed: true },
    },
    ...ofOrder,
  },
  'payment-returned': {
    ...{ label: 'Payment sent back', sent: 'When a payment arrives that its order cannot take.' },
    subject: 'Refund: {sum} for {order}',
    text: 'Hello {name},\n\nWe received a payment of {sum} for an order that {why}. We have refunded all of it to your card. Banks take 5 to 10 days to show it.\n\n{details}\n\n{link}',
    button: 'View the order',
    de: {
      subject: 'Erstattung: {sum} für {order}',
      text: 'Guten Tag {name},\n\nwir haben eine Zahlung von {sum} für eine Bestellung erhalten, die {why}. Wir haben alles auf Ihre Karte erstattet. Es dauert 5 bis 10 Tage, bis Ihre Bank das anzeigt.\n\n{details}\n\n{link}',
      button: 'Bestellung ansehen',
    },
    variables: {
      ...order,
      sum: { means: 'what was sent back', sample: '$6.06', needed: true },
      why: { means: 'why, such as “was already paid”', sample: 'was already paid', needed: true },
    },
    ...ofOrder,
  },
  'quote-offered': {
    ...{ label: 'Offer', sent: 'When you answer a price request with an offer.' },
    subject: 'Our offer: {quantity} × {product}',
    text: 'Here is the price that you asked for. It reserves no pieces: order before they are sold, and before the offer ends.\n\nOnly {short} of the {quantity} pieces are available now. You can accept the offer when there are enough.\n\n{reply}\n\n{details}\n\n{link}',
    button: 'View your request',
    de: {
      subject: 'Unser Angebot: {quantity} × {product}',
      text: 'Hier ist der Preis, nach dem Sie gefragt haben. Er reserviert keine Stücke: Bestellen Sie, bevor sie verkauft sind und bevor das Angebot endet.\n\nVon den {quantity} Stück sind zurzeit nur {short} verfügbar. Sie können das Angebot annehmen, sobald es genug sind.\n\n{reply}\n\n{details}\n\n{link}',
      button: 'Anfrage ansehen',
    },
    variables: {
      ...{ quantity, product, reply },
      short: { means: 'the pieces in stock, if they are fewer than those of the offer', sample: '2' },
    },
    ...ofOrder,
  },
  'quote-declined': {
    ...{ label: 'No offer', sent: 'When you decline a price request.' },
    subject: 'About your request: {quantity} × {product}',
    text: 'We have no offer for {quantity} × {product}.\n\n{reply}\n\n{link}',
    button: 'View your request',
    de: {
      subject: 'Zu Ihrer Anfrage: {quantity} × {product}',
      text: 'Für {quantity} × {product} haben wir kein Angebot.\n\n{reply}\n\n{link}',
      button: 'Anfrage ansehen',
    },
    variables: { quantity, product, reply },
    blocks: ['link'],
  },
  'back-in-stock': {
    ...{ label: 'Back in stock', sent: 'Once, to who asked for it, when an instrument is back.' },
    subject: 'Back in stock: {product}',
    text: 'You wanted an email when {product} is back.\n\n{available} in stock now, minimum order {minimum}. We reserve none for you: who orders first gets it.\n\n{unsubscribe}\n\n{link}',
    button: 'View the instrument',
    de: {
      subject: 'Wieder da: {product}',
      text: 'Sie wollten eine E-Mail, wenn {product} wieder da ist.\n\nJetzt auf Lager: {available}, Mindestmenge: {minimum}. Wir reservieren nichts für Sie: Wer zuerst bestellt, bekommt es.\n\n{unsubscribe}\n\n{link}',
      button: 'Instrument ansehen',
    },
    variables: stock,
    blocks: ['unsubscribe', 'link'],
  },
  'back-in-stock-short': {
    ...{ label: 'Back in stock, and short again', sent: 'In place of it, when others were faster.' },
    subject: 'Back in stock: {product}',
    text: 'You wanted an email when {product} is back.\n\nIt was back, and others were faster. {shortage} now. Its page has a button for another email.\n\n{unsubscribe}\n\n{link}',
    button: 'View the instrument',
    de: {
      subject: 'Wieder da: {product}',
      text: 'Sie wollten eine E-Mail, wenn {product} wieder da ist.\n\nEs war wieder da, und andere waren schneller. Jetzt: {shortage}. Auf seiner Seite gibt es einen Knopf für eine weitere E-Mail.\n\n{unsubscribe}\n\n{link}',
      button: 'Instrument ansehen',
    },
    variables: { ...stock, shortage: { means: 'what is left', sample: 'Only 1 left' } },
    blocks: ['unsubscribe', 'link'],
  },
  'review-wanted': {
    ...{ label: 'Review', sent: 'Once, some days after shipping, if the settings say so.' },
    subject: 'How is your {product}?',
    text: 'Hello {name},\n\nYou bought {product} from us. Others who think about one would like to read how it is: a few words and stars are enough, whatever you think of it.\n\n{unsubscribe}\n\n{link}',
    button: 'Write a review',
    de: {
      subject: 'Wie ist es: {product}?',
      text: 'Guten Tag {name},\n\nSie haben bei uns gekauft: {product}. Wer über einen Kauf nachdenkt, möchte gern lesen, wie es ist: Ein paar Worte und Sterne genügen, ganz gleich, was Sie davon halten.\n\n{unsubscribe}\n\n{link}',
      button: 'Bewertung schreiben',
    },
    variables: { name, product },
    blocks: ['unsubscribe', 'link'],
  },
  'contact-copy': {
    ...{ label: 'Copy of a message', sent: 'When somebody writes to you and asks for a copy.' },
    subject: 'Your message to {shop}',
    text: 'Hello {name},\n\nThank you for your message. We answer as soon as we can. You wrote:\n\n{message}',
    button: '',
    de: {
      subject: 'Ihre Nachricht an {shop}',
      text: 'Guten Tag {name},\n\nvielen Dank für Ihre Nachricht. Wir antworten, sobald wir können. Sie haben geschrieben:\n\n{message}',
      button: '',
    },
    variables: {
      name: { means: 'the name of the sender', sample: 'Zoe' },
      message: { means: 'the message', sample: 'Do you repair bows?', needed: true },
    },
    blocks: [],
  },
  'message-reply': {
    ...{ label: 'Reply to a message', sent: 'When you reply to a message.' },
    subject: 'Our reply to your message',
    text: 'Hello {name},\n\n{reply}\n\nYou wrote:\n\n{message}',
    button: '',
    de: {
      subject: 'Unsere Antwort auf Ihre Nachricht',
      text: 'Guten Tag {name},\n\n{reply}\n\nSie haben geschrieben:\n\n{message}',
      button: '',
    },
    variables: {
      name: { means: 'the name of the sender', sample: 'Zoe' },
      reply: { means: 'your reply', sample: 'Yes, within a week.', needed: true },
      message: { means: 'the message', sample: 'Do you repair bows?' },
    },
    blocks: [],
  },
  'verify-email': {
    ...{ label: 'Verify an email', sent: 'After a registration.' },
    subject: 'Please verify your email',
    // No name: whoever registered may have written anything into it (R49).
    text: 'Hello,\n\nWelcome to {shop}. Please verify your email with this link. It works once, for 24 hours.\n\n{link}',
    button: 'Verify my email',
    de: {
      subject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
      text: 'Guten Tag,\n\nwillkommen bei {shop}. Bitte bestätigen Sie Ihre E-Mail-Adresse mit diesem Link. Er gilt einmal, 24 Stunden lang.\n\n{link}',
      button: 'Meine E-Mail-Adresse bestätigen',
    },
    variables: {},
    blocks: ['link'],
  },
  'reset-password': {
    ...{ label: 'New password', sent: 'When somebody has forgotten the password.' },
    subject: 'Choose a new password',
    text: '{greeting}\n\nUse this link to choose a new password for your {shop} account. It works once, for 10 minutes.\n\n{link}',
    button: 'Choose a new password',
    de: {
      subject: 'Neues Passwort wählen',
      text: '{greeting}\n\nmit diesem Link wählen Sie ein neues Passwort für Ihr Konto bei {shop}. Er gilt einmal, 10 Minuten lang.\n\n{link}',
      button: 'Neues Passwort wählen',
    },
    variables: { greeting: { means: '“Hello Ada,”, or “Hello,” without a name', sample: 'Hello Ada,' } },
    blocks: ['link'],
  },
  'sign-in': {
    ...{ label: 'Log in from a new browser', sent: 'After many wrong passwords.' },
    subject: 'Log in from a new browser',
    text: 'Hello,\n\nSomebody tried many wrong passwords on your {shop} account. For now, only browsers that you have used before can log in.\n\nTo log in from a new browser, open this link in it within 30 minutes.\n\n{link}',
    button: 'Log in from this browser',
    de: {
      subject: 'Anmelden mit einem neuen Browser',
      text: 'Guten Tag,\n\njemand hat bei Ihrem Konto bei {shop} viele falsche Passwörter versucht. Zurzeit kann man sich deshalb nur mit Browsern anmelden, die Sie schon benutzt haben.\n\nUm sich mit einem neuen Browser anzumelden, öffnen Sie diesen Link darin innerhalb von 30 Minuten.\n\n{link}',
      button: 'Mit diesem Browser anmelden',
    },
    variables: {},
    blocks: ['link'],
  },
  account: {
    ...{ label: 'Change of an account', sent: 'After a change of the password, passkeys or the second factor.' },
    subject: '{title}',
    text: 'Hello,\n\n{change}\n\nIf it was you, there is nothing to do. If not, choose a new password. That signs out every browser.\n\n{link}',
    button: 'Choose a new password',
    de: {
      subject: '{title}',
      text: 'Guten Tag,\n\n{change}\n\nWenn Sie das waren, ist nichts zu tun. Wenn nicht, wählen Sie ein neues Passwort. Damit werden alle Browser abgemeldet.\n\n{link}',
      button: 'Neues Passwort wählen',
    },
    variables: {
      title: { means: 'the change, as a title', sample: 'Your password was changed' },
      change: {
        ...{ means: 'what has changed, as a sentence', sample: 'The password of your account was changed.' },
        needed: true,
      },
    },
    blocks: ['link'],
  },
  'wrong-codes': {
    ...{ label: 'Wrong codes', sent: 'After many wrong codes of the second factor, once a day at most.' },
    subject: 'Wrong codes for your account',
    text: 'Hello,\n\nSomebody logged in to your {shop} account as far as the code of the second factor, and then entered too many wrong codes. These let nobody in.\n\nIf it was you, use a recovery code or a passkey, or wait. If not, somebody knows your password: choose a new one.\n\n{link}',
    button: 'Choose a new password',
    de: {
      subject: 'Falsche Codes für Ihr Konto',
      text: 'Guten Tag,\n\njemand hat sich bei Ihrem Konto bei {shop} bis zum Code des zweiten Faktors angemeldet und dann zu viele falsche Codes eingegeben. Damit kommt niemand hinein.\n\nWenn Sie das waren, nehmen Sie einen Wiederherstellungscode oder einen Passkey, oder warten Sie. Wenn nicht, kennt jemand Ihr Passwort: Wählen Sie ein neues.\n\n{link}',
      button: 'Neues Passwort wählen',
    },
    variables: {},
    blocks: ['link'],
  },
  'account-closed': {
    ...{ label: 'Closed account', sent: 'After a customer has closed the account: the last email.' },
    subject: 'Your account is closed',
    text: 'Hello,\n\nYour account at {shop} is closed, and nobody can open it again. We have cancelled your unpaid orders. A payment that still arrives for one of them goes back to the card.\n\nWe send what you have paid for. Emails about paid orders still come to this address.\n\nWith the same address you can register anew at any time.\n\n{link}',
    button: 'Visit the shop',
    de: {
      subject: 'Ihr Konto ist geschlossen',
      text: 'Guten Tag,\n\nIhr Konto bei {shop} ist geschlossen, und niemand kann es wieder öffnen. Ihre unbezahlten Bestellungen haben wir storniert. Eine Zahlung, die für eine davon noch ankommt, geht zurück auf die Karte.\n\nWas Sie bezahlt haben, versenden wir. E-Mails zu bezahlten Bestellungen kommen weiter an diese Adresse.\n\nMit derselben Adresse können Sie sich jederzeit neu registrieren.\n\n{link}',
      button: 'Zum Shop',
    },
    variables: {},
    blocks: ['link'],
  },
} as const satisfies Record<string, EmailKind>

export type EmailKindName = keyof typeof emailKinds
export const emailKindNames = Object.keys(emailKinds) as EmailKindName[]

/** What the writer of an email must say: each variable and each block of its kind. */
export type VariableOf<Kind extends EmailKindName> = keyof (typeof emailKinds)[Kind]['variables']
export type BlockOf<Kind extends EmailKindName> = (typeof emailKinds)[Kind]['blocks'][number]

export function isEmailKind(name: string): name is EmailKindName {
  return Object.hasOwn(emailKinds, name)
}

export function defaultEmailWords(kind: EmailKindName, language: Language = 'en'): EmailWords {
  const { subject, text, button } = language === 'de' ? emailKinds[kind].de : emailKinds[kind]
  return { subject, text, button }
}

/** With the words of the shop, which every kind has. */
export function variablesOf(kind: EmailKindName): Record<string, Variable> {
  return { ...emailKinds[kind].variables, shop: { means: 'the shop’s name', sample: '' } }
}

const variable = /\{([^{}\n]*)\}/g

/** What is wrong with the words of an email, by field: each unknown variable, and each that is needed and missing. */
export function problemsOfWords(
  kind: EmailKindName,
  words: EmailWords,
): { field: keyof EmailWords; message: string }[] {
  const known = variablesOf(kind)
  const blocks: readonly string[] = emailKinds[kind].blocks
  const problems: { field: keyof EmailWords; message: string }[] = []
  for (const field of ['subject', 'text', 'button'] as const) {
    const used = [...words[field].matchAll(variable)].map(([, name]) => name!)
    const allowed = field === 'text' ? [...Object.keys(known), ...blocks] : Object.keys(known)
    const unknown = used.find((name) => !allowed.includes(name))
    if (unknown !== undefined) problems.push({ field, message: unknownVariable(unknown, blocks, allowed) })
    else if (/[{}]/.test(words[field].replace(variable, '')))
      problems.push({ field, message: 'Braces belong to variables, such as {shop}' })
  }
  const paragraphs = paragraphsOf(words.text)
  const needed = Object.entries(known).flatMap(([name, { needed }]) => (needed ? [name] : []))
  const missing = [...needed, ...blocks].find((name) => !words.text.includes(`{${name}}`))
  if (missing !== undefined)
    problems.push({ field: 'text', message: `{${missing}} is missing: ${meaningOf(missing, known)}` })
  const buried = blocks.find((block) => paragraphs.some((text) => text.includes(`{${block}}`) && text !== `{${block}}`))
  if (buried !== undefined)
    problems.push({
      field: 'text',
      message: `{${buried}} needs a paragraph of its own: an empty line before and after it`,
    })
  const doubled = blocks.find((block) => paragraphs.filter((text) => text === `{${block}}`).length > 1)
  if (doubled !== undefined) problems.push({ field: 'text', message: `{${doubled}} stands there twice` })
  return problems
}

function meaningOf(name: string, known: Record<string, Variable>): string {
  return known[name]?.means ?? blockMeanings[name as Block]
}

function unknownVariable(name: string, blocks: readonly string[], allowed: string[]): string {
  if (blocks.includes(name)) return `{${name}} can only stand in the text`
  const list = allowed.map((each) => `{${each}}`).join(', ')
  return `There is no variable {${cutText(name, 40)}} here. These are: ${list}`
}

export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
}

/** A text with its variables replaced. Null: one of them has no value. */
export function fillIn(text: string, values: Record<string, string>): string | null {
  const names = [...text.matchAll(variable)].map(([, name]) => name!)
  return names.every((name) => values[name]) ? text.replace(variable, (_all, name: string) => values[name]!) : null
}
