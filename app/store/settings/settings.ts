/** What an admin can say about the shop, with the words of its label. All are texts; empty: none. */
export const settingLabels = {
  name: 'Shop’s name',
  tagline: 'Tagline',
  timeZone: 'Time zone',
  secondLanguage: 'Second language',
  heroWords: 'Words at the top of the home page',
  story: 'About us',
  mainColor: 'Main color',
  accentColor: 'Accent color',
  logo: 'Logo',
  supportEmail: 'Technical support: email',
  supportPhone: 'Technical support: phone',
  salesEmail: 'Sales questions: email',
  salesPhone: 'Sales questions: phone',
  ordersEmail: 'Order questions: email',
  ordersPhone: 'Order questions: phone',
  bugsEmail: 'Bug report: email',
  bugsPhone: 'Bug report: phone',
  profile: 'Our profile',
  facebook: 'Facebook',
  youtube: 'YouTube',
  instagram: 'Instagram',
  deliveryTime: 'Delivery time',
  returns: 'Returns',
  holdHours: 'Hours that an unpaid order holds its pieces',
  reviewDays: 'Days until we ask for a review',
  sellerName: 'Seller',
  sellerAddress: 'Address of the seller',
  vatNumber: 'VAT number',
  vatPercent: 'VAT in the prices, in percent',
} as const

export type SettingName = keyof typeof settingLabels
export const settingNames = Object.keys(settingLabels) as SettingName[]

/** The parts of the page, each a fold. */
export const settingSections = {
  'the-shop': ['name', 'tagline', 'timeZone', 'secondLanguage', 'heroWords', 'story'],
  look: ['mainColor', 'accentColor', 'logo'],
  contact: [
    ...(['supportEmail', 'supportPhone', 'salesEmail', 'salesPhone'] as const),
    ...(['ordersEmail', 'ordersPhone', 'bugsEmail', 'bugsPhone'] as const),
  ],
  links: ['profile', 'facebook', 'youtube', 'instagram'],
  selling: ['deliveryTime', 'returns', 'holdHours', 'reviewDays'],
  invoices: ['sellerName', 'sellerAddress', 'vatNumber', 'vatPercent'],
} as const satisfies Record<string, SettingName[]>

export type SettingSection = keyof typeof settingSections
export const sectionNames = Object.keys(settingSections) as SettingSection[]

export function sectionsOf(names: SettingName[]): SettingSection[] {
  return sectionNames.filter((section) => settingSections[section].some((name) => names.includes(name)))
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
