/** What an owner does before a shop opens, in a sensible order. */
export const firstSteps = [
  { key: 'name', text: 'Give the shop its name', href: '/dashboard/settings?open=the-shop#name' },
  { key: 'contact', text: 'Say how customers reach you', href: '/dashboard/settings?open=contact#supportEmail' },
  {
    key: 'delivery',
    text: 'Say how long a delivery takes, and how returns work',
    href: '/dashboard/settings?open=selling#deliveryTime',
  },
  { key: 'seller', text: 'Say who stands on invoices', href: '/dashboard/settings?open=invoices#sellerName' },
  { key: 'terms', text: 'Publish your terms of use', href: '/dashboard/settings/pages/new?starter=terms' },
  { key: 'families', text: 'Choose the families of your products', href: '/dashboard/settings/families' },
  { key: 'instrument', text: 'Add the first instrument', href: '/dashboard/addProduct' },
  { key: 'picture', text: 'Give an instrument a picture of your own', href: '/dashboard/manageProduct' },
  { key: 'order', text: 'Buy something with a test card: as a customer, in a private window', href: '/allInstruments' },
  { key: 'factor', text: 'Protect your account with a second factor', href: '/dashboard/myProfile/secondFactor' },
  { key: 'mail', text: 'Send emails from your own domain', href: '/dashboard/settings#fixed' },
  { key: 'keys', text: 'Take real cards: live keys of Stripe', href: '/dashboard/settings#fixed' },
] as const

export type FirstStep = (typeof firstSteps)[number]['key']

/** What an admin may say about the list: it is put aside, or the families of a new shop are right. */
export const firstStepWords = ['aside', 'families'] as const
export type FirstStepWord = (typeof firstStepWords)[number]

/** Which are done. Null: the list is not shown. */
export type FirstStepsDone = Record<FirstStep, boolean> | null
