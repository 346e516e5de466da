import { z } from 'zod'
import { shopName } from '../../shop-name'
import { fold } from './folding'
import { invalidDay, readDay } from './dates'
import { plainSigns } from './text'

/*
 * SQLite cuts a text at a NUL, and lone surrogates do not survive storage: both are refused. `abort` stops at a text
 * that is too long: the email pattern would take seconds for 100 kB.
 */

// oxlint-disable-next-line no-control-regex -- control characters are intended
const controlCharacters = /[\u0000-\u001f\u007f]/
// oxlint-disable-next-line no-control-regex
const controlCharactersButNewlines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Zero-width and bidirectional characters, which make one text look like another; joiners are part of emoji and scripts. */
const invisibleCharacters =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|[ -~][\u200c\u200d]|[\u200c\u200d]([ -~]|$)/u

interface TextRules {
  label: string
  required: string
  max: number
}

export function singleLine({ label, required, max }: TextRules) {
  return z
    .string({ error: required })
    .trim()
    .min(1, { error: required })
    .max(max, { error: `${label} must be at most ${max} characters`, abort: true })
    .refine((text) => !controlCharacters.test(text) && text.isWellFormed() && !invisibleCharacters.test(text), {
      error: `${label} contains characters that are not allowed`,
    })
}

/** Of a form that must not take effect twice. */
export const submissionId = z.string().regex(/^[\w-]{8,100}$/, { error: 'Send the form again' })

/** A box of a form, which browsers send only when it is ticked. */
export const checkbox = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on')

/** The metadata is for the API document, which does not see into the pipe. */
export function multiLine({ label, required, max }: TextRules) {
  return z
    .string({ error: required })
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string({ error: required })
        .min(1, { error: required })
        .max(max, { error: `${label} must be at most ${max} characters`, abort: true })
        .refine((text) => !controlCharactersButNewlines.test(text) && text.isWellFormed(), {
          error: `${label} contains characters that are not allowed`,
        }),
    )
    .meta({ minLength: 1, maxLength: max })
}

/** The Latin letters alone, without accents, in lower case. */
export const lettersOf = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()

/** True for the name of the shop, however it is written: case, accents, spaces and signs make no difference. */
export function isShopName(name: string): boolean {
  const [own, other] = [shopName, name].map((text) => fold(text).replace(/[^\p{L}\p{N}]/gu, ''))
  return own !== '' && own === other
}

export const shopNameTaken = 'This name belongs to the shop'

const invalidEmail = { error: 'Provide a valid Email', abort: true }

/** R60: HTML's rule, with a top-level domain of two letters or more, without two dots in a row, of at most 254 characters. */
export const emailAddress = z
  .string({ error: 'Email is Required' })
  .overwrite(plainSigns)
  .trim()
  .toLowerCase()
  .min(1, { error: 'Email is Required', abort: true })
  .max(254, invalidEmail)
  .regex(z.regexes.html5Email, invalidEmail)
  .regex(/^(?!.*\.\.).*\.([a-z]{2,}|xn--[a-z0-9-]+)$/, invalidEmail)

/** R21, spec section 5 */
export const phoneNumber = z
  .string({ error: 'Phone is Required' })
  .overwrite(plainSigns)
  .trim()
  .min(1, { error: 'Phone is Required' })
  .regex(/^[\d +()-]{11,32}$/, { error: 'Phone must be 11 digits' })
  .meta({ maxLength: 32 })

/** An https URL or a path of this shop. Browsers read a path that begins with `/\` as another site. */
export const imageAddress = singleLine({ label: 'Image', required: 'Image is Required', max: 2000 }).regex(
  /^(https:\/\/\S+|\/[^/\\\s]\S*)$/,
  { error: 'Image must start with https:// or /' },
)

/** Null for missing or blank text. */
export function optional(rule: z.ZodType<string, string>) {
  return z.preprocess((text) => (typeof text === 'string' ? text.trim() || null : (text ?? null)), rule.nullable())
}

export function quantityField(label: string, min: number) {
  const error = `${label} must be a whole number from ${min} to 1,000,000`
  const missing = ({ input }: { input?: unknown }) => (input === undefined ? `${label} is Required` : error)
  return z.number({ error: missing }).int({ error }).min(min, { error }).max(1_000_000, { error })
}

/** The beginning of a day of the shop, in milliseconds since 1970. Refuses what is not in the calendar. */
export function dayField(required: string) {
  return z.string({ error: required }).transform((text, { addIssue }) => {
    const at = readDay(text.trim())
    if (at !== undefined) return at
    addIssue(invalidDay)
    return z.NEVER
  })
}

/** What a field says in JSON; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The idempotency key of a form (R13, R43). */
export const submissionIdField = z
  .string({ error: 'This form has expired. Please send it again.' })
  .regex(/^[\w-]{8,100}$/, { error: 'This form has expired. Please send it again.' })
  .meta({ maxLength: 100 })
