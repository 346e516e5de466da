import { z } from 'zod'
import type { Deps, Seller } from '../deps'
import { defaultEmailWords, emailKindNames, emailKinds } from '../email/words.server'
import { wordsKey } from '../email/write-words.server'
import { readLogoAddress } from '../catalog/pictures/pictures'
import { emailAddress, multiLine, singleLine } from '../shared/validation.server'
import { colorPattern, minContrast, shadesOf } from './colors'
import {
  settingNames,
  settingOf,
  type Setting,
  type SettingName,
  type Settings,
  type SettingsDocument,
  type SettingsVersion,
} from './settings'
import { saveTexts, selectVersions } from './versions.server'
import { countInZone, readTimeZone } from './zone.server'

export const tag = /<[a-z!/?]/i

/** A text that may be missing. */
function optionalText(rule: z.ZodType<string, string>, missing = '') {
  return z.preprocess(
    (text) => (typeof text === 'string' ? text.trim() : text) || undefined,
    rule.optional().transform((text) => text ?? missing),
  )
}

/** `<` and `>`: lines also stand in the header of emails. */
function line({ label, max = 300 }: Setting) {
  return singleLine({ label, required: `${label} is required`, max }).refine((text) => !/[<>]/.test(text), {
    error: `${label} must be plain text, without < and >`,
  })
}

function number(pattern: RegExp) {
  return ({ error, max = Infinity }: Setting) =>
    z
      .string({ error })
      .trim()
      .regex(pattern, { error })
      .refine((text) => !(Number(text) > max), { error })
}

/** What each type must be, if there is something. */
const rulesOfTypes: Record<Setting['type'], (setting: Setting) => z.ZodType<string, string>> = {
  line,
  paragraph: ({ label, max = 300 }) =>
    multiLine({ label, required: `${label} is required`, max }).refine((text) => !tag.test(text), {
      error: `${label} must be plain text, without HTML`,
    }),
  email: ({ label }) =>
    z.string().refine((text) => emailAddress.safeParse(text).success, {
      error: `${label}: enter an address like name@shop.com`,
    }),
  phone: ({ label }) =>
    z.string().regex(/^[\d +().-]{3,32}$/, { error: `${label}: use digits, spaces and + - ( ) only, at most 32` }),
  page: (setting) =>
    line(setting).refine(isHttps, { error: `${setting.label}: enter an address that starts with https://` }),
  color,
  percent: number(/^\d{1,2}(\.\d{1,2})?$/),
  hours: number(/^\d{1,4}(\.\d{1,2})?$/),
  days: number(/^[1-9]\d?$/),
  choice: ({ label, choices = {} }) => z.enum(Object.keys(choices), { error: `${label}: choose one of the list` }),
  zone: ({ label }) =>
    z.string().transform((text, { addIssue }) => {
      const zone = readTimeZone(text)
      if (zone !== null) return zone
      addIssue(`${label}: enter a name such as Europe/Berlin or UTC`)
      return z.NEVER
    }),
  picture: ({ label }) =>
    z.string().refine((text) => readLogoAddress(text) !== null, { error: `${label}: choose a file of this computer` }),
}

function isHttps(text: string): boolean {
  if (!/^https:\/\/[^\s\\"]+$/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  // Browsers hide them, and what stands before them looks like the host.
  return username === '' && password === ''
}

/** Read on paper and panels of both schemes: in the dark one every color is lightened as far as it must. */
function color({ label, unset }: Setting) {
  return z
    .string()
    .toLowerCase()
    .regex(colorPattern, { error: `${label}: enter a color such as #7a2b1b`, abort: true })
    .superRefine((text, { addIssue }) => {
      const { light } = shadesOf(text)
      if (light === text || text === unset) return
      const message = `${label}: ${text} is too light to be read on paper (below ${minContrast} : 1). The nearest that would do is ${light}.`
      addIssue({ code: 'custom', message })
    })
    .transform((text) => (text === unset ? '' : text))
}

/** In the order of the page. */
const rules = Object.fromEntries(
  settingNames.map((name) => {
    const setting = settingOf(name)
    const rule = rulesOfTypes[setting.type](setting)
    return [name, setting.isRequired ? rule : optionalText(rule, setting.type === 'zone' ? setting.initial : '')]
  }),
) as Record<SettingName, z.ZodType<string>>

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

const labelOf = (name: SettingName) => settingOf(name).label

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
    ...settingNames.filter(isChanged).map(labelOf),
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
  const follow = (names: SettingName[]) => (names.includes('timeZone') ? countInZone(deps, values.timeZone) : [])
  return saveTexts(deps, admin, { version, seen }, { values, defaults, labelOf, follow })
}
