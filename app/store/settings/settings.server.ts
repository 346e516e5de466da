import { z } from 'zod'
import type { Deps, Seller } from '../deps'
import { defaultEmailWords, emailKindNames, emailKinds } from '../email/words.server'
import { wordsKey } from '../email/write-words.server'
import { reviewEmails } from '../shared/limits'
import { readLogoAddress } from '../catalog/pictures/pictures'
import { emailAddress, multiLine, singleLine } from '../shared/validation.server'
import { colorPattern, minContrast, shadesOf } from './colors'
import {
  settingLabels,
  settingNames,
  type SettingName,
  type Settings,
  type SettingsDocument,
  type SettingsVersion,
} from './settings'
import { saveTexts, selectVersions } from './versions.server'

export const tag = /<[a-z!/?]/i

/** A text that may be missing: empty then. */
function optionalText(rule: z.ZodType<string, string>) {
  return z.preprocess(
    (text) => (typeof text === 'string' ? text.trim() : text) || undefined,
    rule.optional().transform((text) => text ?? ''),
  )
}

/** `<` and `>`: these texts also stand in the header of emails. */
function line(name: SettingName, max: number) {
  const label = settingLabels[name]
  return singleLine({ label, required: `${label} is required`, max }).refine((text) => !/[<>]/.test(text), {
    error: `${label} must be plain text, without < and >`,
  })
}

function paragraph(name: SettingName, max: number) {
  const label = settingLabels[name]
  return multiLine({ label, required: `${label} is required`, max }).refine((text) => !tag.test(text), {
    error: `${label} must be plain text, without HTML`,
  })
}

function email(name: SettingName) {
  const error = `${settingLabels[name]}: enter an address like name@shop.com`
  return optionalText(z.string().refine((text) => emailAddress.safeParse(text).success, { error }))
}

function phone(name: SettingName) {
  const error = `${settingLabels[name]}: use digits, spaces and + - ( ) only, at most 32`
  return optionalText(z.string().regex(/^[\d +().-]{3,32}$/, { error }))
}

function page(name: SettingName) {
  const error = `${settingLabels[name]}: enter an address that starts with https://`
  return optionalText(line(name, 300).refine(isHttps, { error }))
}

function isHttps(text: string): boolean {
  if (!/^https:\/\/[^\s\\"]+$/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  // Browsers hide them, and what stands before them looks like the host.
  return username === '' && password === ''
}

/** Read on paper and panels of both schemes: in the dark one every color is lightened as far as it must. */
function color(name: SettingName) {
  const label = settingLabels[name]
  const error = `${label}: enter a color such as #7a2b1b`
  return optionalText(
    z
      .string()
      .toLowerCase()
      .regex(colorPattern, { error, abort: true })
      .superRefine((text, { addIssue }) => {
        const { light } = shadesOf(text)
        if (light === text) return
        const message = `${label}: ${text} is too light to be read on paper (below ${minContrast} : 1). The nearest that would do is ${light}.`
        addIssue({ code: 'custom', message })
      }),
  )
}

const vatError = 'VAT must be a percentage such as 19 or 7.7'
const reviewError = `The days must be a number from 1 to ${reviewEmails.maxDays}; empty: no email`
const holdError = 'The hours must be a number from 0 to 8,760; 0: until the order is cancelled'

/** The rules of each setting, for the form. In the order of the page. */
const rules = {
  name: line('name', 60),
  tagline: optionalText(line('tagline', 100)),
  secondLanguage: optionalText(z.literal('de', { error: `${settingLabels.secondLanguage}: choose one of the list` })),
  heroWords: optionalText(paragraph('heroWords', 300)),
  story: optionalText(paragraph('story', 1500)),
  mainColor: color('mainColor'),
  accentColor: color('accentColor'),
  logo: optionalText(
    z.string().refine((text) => readLogoAddress(text) !== null, { error: 'Logo: choose a file of this computer' }),
  ),
  supportEmail: email('supportEmail'),
  supportPhone: phone('supportPhone'),
  salesEmail: email('salesEmail'),
  salesPhone: phone('salesPhone'),
  ordersEmail: email('ordersEmail'),
  ordersPhone: phone('ordersPhone'),
  bugsEmail: email('bugsEmail'),
  bugsPhone: phone('bugsPhone'),
  profile: page('profile'),
  facebook: page('facebook'),
  youtube: page('youtube'),
  instagram: page('instagram'),
  deliveryTime: optionalText(line('deliveryTime', 100)),
  returns: optionalText(line('returns', 200)),
  holdHours: z
    .string({ error: holdError })
    .trim()
    .regex(/^\d{1,4}(\.\d{1,2})?$/, { error: holdError })
    .refine((text) => Number(text) <= 8760, { error: holdError }),
  reviewDays: optionalText(
    z
      .string()
      .regex(/^[1-9]\d?$/, { error: reviewError })
      .refine((text) => Number(text) <= reviewEmails.maxDays, { error: reviewError }),
  ),
  sellerName: optionalText(line('sellerName', 200)),
  sellerAddress: optionalText(paragraph('sellerAddress', 500)),
  vatNumber: optionalText(line('vatNumber', 40)),
  vatPercent: optionalText(
    z
      .string()
      .trim()
      .regex(/^\d{1,2}(\.\d{1,2})?$/, { error: vatError }),
  ),
} satisfies Record<SettingName, z.ZodType<string>>

export const formVersion = z.number({ error: 'This form has expired. Reload the page.' }).int().min(0)

export const SettingsForm = z
  .object({
    ...rules,
    /** Of which the form was filled in. */
    version: formVersion,
    /** The newest one that its reader has seen: after a conflict a later one than `version`. */
    seen: formVersion.optional(),
  })
  .superRefine(({ vatNumber, vatPercent, sellerName, sellerAddress }, { addIssue }) => {
    const pair = (one: string, other: SettingName, has: string, message: string) => {
      if (one && !has) addIssue({ code: 'custom', path: [other], message })
    }
    pair(vatNumber, 'vatPercent', vatPercent, 'Enter the rate that belongs to the VAT number')
    pair(vatPercent, 'vatNumber', vatNumber, 'Enter the VAT number that belongs to the rate')
    pair(sellerName, 'sellerAddress', sellerAddress, 'Enter the address that stands on invoices')
    pair(sellerAddress, 'sellerName', sellerName, 'Enter who stands on invoices')
  })
export type SettingsForm = z.output<typeof SettingsForm>

export const SettingsFormWithLogo = SettingsForm.safeExtend({ removeLogo: z.literal('on').optional() })

/** The known settings of a stored document: a later Worker may have written more, an earlier one an SVG as the logo (R67). */
export function parseSettings(json: string): SettingsDocument {
  const stored = JSON.parse(json) as Record<string, unknown>
  const isKnown = (name: SettingName, text: unknown) =>
    typeof text === 'string' && (name !== 'logo' || !text.endsWith('.svg'))
  return Object.fromEntries(settingNames.flatMap((name) => (isKnown(name, stored[name]) ? [[name, stored[name]]] : [])))
}

/** Who stands on invoices. Null: nobody has said so. */
export function sellerOf({ sellerName, sellerAddress, vatNumber, vatPercent }: Settings): Seller | null {
  if (!sellerName || !sellerAddress) return null
  const vatRate = Math.round(Number(vatPercent) * 100)
  return { name: sellerName, address: sellerAddress, vatNumber: vatNumber || null, vatRate }
}

/** The newest settings, and the last ten versions with who saved them and what changed. */
export async function readSettings(
  deps: Deps,
  defaults: Settings,
): Promise<{ version: number; settings: Settings; versions: SettingsVersion[] }> {
  const rows = await selectVersions(deps).limit(11)
  return {
    version: rows[0]?.version ?? 0,
    settings: { ...defaults, ...parseSettings(rows[0]?.document ?? '{}') },
    versions: changesOf(rows, labelsOf),
  }
}

type IsChanged = (key: string) => boolean

/** What changed in each of the last ten versions, of eleven; `labelsOf` names it. */
export function changesOf(
  rows: Awaited<ReturnType<typeof selectVersions>>,
  labelsOf: (isChanged: IsChanged) => string[],
): SettingsVersion[] {
  const documents = [...rows.map(({ document }) => document), '{}'].map(
    (json) => JSON.parse(json) as Record<string, unknown>,
  )
  return rows.slice(0, 10).map(({ version, savedAt, by }, nth) => {
    const isChanged = (key: string) => documents[nth]![key] !== documents[nth + 1]![key]
    return { version, savedAt, by, changed: labelsOf(isChanged) }
  })
}

function labelsOf(isChanged: IsChanged): string[] {
  const emails = emailKindNames.filter((kind) =>
    Object.keys(defaultEmailWords(kind)).some((field) => isChanged(wordsKey(kind, field))),
  )
  return [
    ...settingNames.filter(isChanged).map((name) => settingLabels[name]),
    ...emails.map((kind) => `Email “${emailKinds[kind].label}”`),
    ...(isChanged('firstSteps') ? ['List of first steps put aside'] : []),
    ...(isChanged('firstFamilies') ? ['Families of a new shop kept'] : []),
  ]
}

/**
 * Stores what differs from the version that the form was filled in with, as the next version. Idempotent: without a difference nothing is
 * stored. Returns what was. What another admin has changed meanwhile stays; refuses, field by field, what both have changed.
 */
export async function saveSettings(
  deps: Deps,
  admin: { id: string },
  defaults: Settings,
  { version, seen, ...values }: SettingsForm,
): Promise<SettingName[]> {
  return saveTexts(deps, admin, { version, seen }, { values, defaults, labels: settingLabels })
}
