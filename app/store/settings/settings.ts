import { defaultWords } from '../../shop-name'
import { reviewEmails } from '../shared/limits'

export interface Setting {
  /** In the form, its errors and the history. */
  label: string
  /** Its rule (`settings.server.ts`) and how it is typed. `page`: an https address. */
  type:
    | 'line'
    | 'paragraph'
    | 'email'
    | 'phone'
    | 'page'
    | 'color'
    | 'percent'
    | 'hours'
    | 'days'
    | 'choice'
    | 'zone'
    | 'picture'
  /** Characters of a text, 300 unless said otherwise, or the highest number. */
  max?: number
  isRequired?: true
  hint?: string
  /** Of a paragraph: 4 unless said otherwise. */
  rows?: number
  /** What can be chosen, with its words. */
  choices?: Record<string, string>
  /** What a number that is refused must be. */
  error?: string
  /** What the field of a color, which cannot be empty, shows and sends for none: ours, as in `ui/base.css`. */
  unset?: string
  /** Until an admin says otherwise; an email: that of the shop. */
  initial?: string
  /** Of the deployment, for `initial`: saving the setting takes its place. An email and its phone share one. */
  variable?: Variable
}

type Variable =
  | ('TECHNICAL_SUPPORT' | 'SALES_QUESTIONS' | 'ORDER_QUESTIONS' | 'BUG_REPORT' | 'PROFILE_URL' | 'DELIVERY_TIME')
  | ('RETURNS' | 'ORDER_HOLD_HOURS' | 'SELLER_NAME' | 'SELLER_ADDRESS' | 'SELLER_VAT_NUMBER' | 'VAT_PERCENT')

interface Section {
  title: string
  /** On the fold, while it is closed. */
  what: string
  hint?: string
  settings: Record<string, Setting>
}

/** What an admin can say about the shop, in the order of a first day, each section a fold. All are texts; empty: none. */
const settingSections = {
  'the-shop': {
    ...{ title: 'The shop', what: 'Name, tagline, time zone, second language, words of the home page' },
    settings: {
      name: {
        ...{ label: 'Shop’s name', type: 'line', max: 60, isRequired: true, initial: defaultWords.name },
        hint: 'On every page, in emails, on invoices, and where the shop is shared.',
      },
      tagline: {
        ...{ label: 'Tagline', type: 'line', max: 100, initial: defaultWords.tagline },
        hint: 'After the name, on the home page and below emails.',
      },
      timeZone: {
        ...{ label: 'Time zone', type: 'zone', initial: 'UTC' },
        hint: 'Of days at the desk, in filters, exports, invoices and reports. Such as Europe/Berlin; UTC until you choose one. Sales, codes and offers that are there keep their moments.',
      },
      secondLanguage: {
        ...{ label: 'Second language', type: 'choice' },
        choices: { '': 'None: English alone', de: 'German, below /de; what you have typed stays as it is' },
      },
      heroWords: {
        ...{ label: 'Words at the top of the home page', type: 'paragraph', max: 300, rows: 3 },
        initial:
          'For over four decades we have designed, imported and distributed handcrafted instruments, at fair prices.',
      },
      story: {
        ...{ label: 'About us', type: 'paragraph', max: 1500, rows: 6, hint: 'An empty line begins a paragraph.' },
        initial:
          'Over four decades of sourcing handcrafted instruments have taught us what to look for: sound wood, clean joints, keys that close. ' +
          'The shop has grown order by order, and we still choose each piece the same way before it goes to players, teachers and small shops.',
      },
    },
  },
  contact: {
    ...{ title: 'Contact', what: 'Emails and phones', hint: 'On the home page. What is empty is left out.' },
    settings: {
      supportEmail: { label: 'Technical support: email', type: 'email', variable: 'TECHNICAL_SUPPORT' },
      supportPhone: { label: 'Technical support: phone', type: 'phone', variable: 'TECHNICAL_SUPPORT' },
      salesEmail: { label: 'Sales questions: email', type: 'email', variable: 'SALES_QUESTIONS' },
      salesPhone: { label: 'Sales questions: phone', type: 'phone', variable: 'SALES_QUESTIONS' },
      ordersEmail: { label: 'Order questions: email', type: 'email', variable: 'ORDER_QUESTIONS' },
      ordersPhone: { label: 'Order questions: phone', type: 'phone', variable: 'ORDER_QUESTIONS' },
      bugsEmail: { label: 'Bug report: email', type: 'email', variable: 'BUG_REPORT' },
      bugsPhone: { label: 'Bug report: phone', type: 'phone', variable: 'BUG_REPORT' },
    },
  },
  selling: {
    ...{ title: 'Selling', what: 'Delivery, returns, unpaid orders, reviews' },
    settings: {
      deliveryTime: {
        ...{ label: 'Delivery time', type: 'line', max: 100, variable: 'DELIVERY_TIME' },
        hint: 'Such as 5 to 8 working days.',
      },
      returns: {
        ...{ label: 'Returns', type: 'line', max: 200, variable: 'RETURNS' },
        hint: 'Such as Within 30 days of delivery.',
      },
      holdHours: {
        ...{ label: 'Hours that an unpaid order holds its pieces', type: 'hours', max: 8760, isRequired: true },
        ...{ hint: '0: until the order is paid or cancelled.', variable: 'ORDER_HOLD_HOURS' },
        error: 'The hours must be a number from 0 to 8,760; 0: until the order is cancelled',
      },
      reviewDays: {
        ...{ label: 'Days until we ask for a review', type: 'days', max: reviewEmails.maxDays },
        hint: 'From shipping to the email, such as 14. Empty: none. Each asks once, and has a link that ends them.',
        error: `The days must be a number from 1 to ${reviewEmails.maxDays}; empty: no email`,
      },
    },
  },
  invoices: {
    ...{ title: 'Invoices', what: 'Seller, VAT', hint: 'Of payments from now on: an invoice never changes.' },
    settings: {
      sellerName: { label: 'Seller', type: 'line', max: 200, variable: 'SELLER_NAME' },
      sellerAddress: { label: 'Address of the seller', type: 'paragraph', max: 500, variable: 'SELLER_ADDRESS' },
      vatNumber: { label: 'VAT number', type: 'line', max: 40, variable: 'SELLER_VAT_NUMBER' },
      vatPercent: {
        ...{ label: 'VAT in the prices, in percent', type: 'percent', variable: 'VAT_PERCENT' },
        hint: 'Such as 19 or 7.7. Both are empty: invoices show no tax.',
        error: 'VAT must be a percentage such as 19 or 7.7',
      },
    },
  },
  look: {
    ...{ title: 'Look', what: 'Colors, logo' },
    settings: {
      mainColor: {
        ...{ label: 'Main color', type: 'color', unset: '#7a2b1b' },
        hint: 'Links and buttons. Dark screens get a lighter shade.',
      },
      accentColor: {
        ...{ label: 'Accent color', type: 'color', unset: '#a9772b' },
        hint: 'Rules, stars and the mark beside the name.',
      },
      logo: {
        ...{ label: 'Logo', type: 'picture' },
        hint: 'Best a PNG with a transparent ground. It stands before the name, 32 px high.',
      },
    },
  },
  links: {
    ...{ title: 'Links at the foot of each page', what: 'Profile, Facebook, YouTube, Instagram' },
    hint: 'Addresses that start with https://.',
    settings: {
      profile: { label: 'Our profile', type: 'page', variable: 'PROFILE_URL' },
      facebook: { label: 'Facebook', type: 'page' },
      youtube: { label: 'YouTube', type: 'page' },
      instagram: { label: 'Instagram', type: 'page' },
    },
  },
} satisfies Record<string, Section>

type Sections = typeof settingSections
export type SettingSection = keyof Sections
export type SettingName = { [Section in SettingSection]: keyof Sections[Section]['settings'] }[SettingSection]

export const sectionNames = Object.keys(settingSections) as SettingSection[]
export const sectionOf = (section: SettingSection): Section => settingSections[section]
export const namesIn = (section: SettingSection) => Object.keys(sectionOf(section).settings) as SettingName[]

const declared = Object.assign({}, ...sectionNames.map((section) => sectionOf(section).settings)) as Record<
  SettingName,
  Setting
>
export const settingNames = Object.keys(declared) as SettingName[]
export const settingOf = (name: SettingName) => declared[name]

export function sectionsOf(names: SettingName[]): SettingSection[] {
  return sectionNames.filter((section) => namesIn(section).some((name) => names.includes(name)))
}

export type Settings = Record<SettingName, string>
/** Those that differ from the deployment's. */
export type SettingsDocument = Partial<Settings>

/** Newest first. */
export interface SettingsVersion {
  version: number
  savedAt: number
  /** The admin. */
  by: string
  /** Labels of what changed. */
  changed: string[]
}
