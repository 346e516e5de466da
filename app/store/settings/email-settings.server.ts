import { z } from 'zod'
import type { Deps, Email } from '../deps'
import { renderEmail, type Row } from '../email/layout.server'
import { enqueueEmail, writeEmail } from '../email/outbox.server'
import {
  defaultEmailWords,
  emailKindNames,
  emailKinds,
  problemsOfWords,
  variablesOf,
  type EmailKindName,
  type EmailWords,
} from '../email/words.server'
import { inWords, parseEmailWords, wordsKey } from '../email/write-words.server'
import { idOf } from '../shared/ids.server'
import { limits } from '../shared/limits'
import { consumeRateLimit } from '../shared/rate-limit.server'
import { multiLine, singleLine } from '../shared/validation.server'
import { changesOf, formVersion, tag } from './settings.server'
import type { SettingsVersion } from './settings'
import { saveTexts, selectVersions, type FormVersion } from './versions.server'

export const emailWordLabels = { subject: 'Subject', text: 'Text', button: 'Button' }
export const maxEmailText = 3000

function plain(rule: z.ZodType<string, string>, label: string) {
  return rule.refine((text) => !tag.test(text), { error: `${label} must be plain text, without HTML` })
}

function line(label: string, max: number) {
  return plain(singleLine({ label, required: `${label} is required`, max }), label)
}

const text = plain(multiLine({ label: 'Text', required: 'Text is required', max: maxEmailText }), 'Text')
const version = { version: formVersion, seen: formVersion.optional() }

/** Of the page of one email. Refuses control characters, HTML, unknown variables, and needed ones that are missing, by their names. */
export function emailWordsCommand(kind: EmailKindName) {
  const hasButton = (emailKinds[kind].blocks as readonly string[]).includes('link')
  const words = {
    subject: line('Subject', 150),
    text,
    button: hasButton ? line('Button', 60) : z.literal('', { error: 'This email has no button' }).default(''),
  }
  return z.discriminatedUnion('intent', [
    z
      .object({ intent: z.enum(['save', 'preview', 'test']), ...words, ...version })
      .superRefine((form, { addIssue }) => {
        for (const { field, message } of problemsOfWords(kind, form))
          addIssue({ code: 'custom', path: [field], message })
      }),
    z.object({ intent: z.literal('default'), ...version }),
  ])
}

/** All kinds of emails to customers; `isOwn`: their words are not the defaults. */
export async function listEmails(
  deps: Deps,
): Promise<{ kind: EmailKindName; label: string; sent: string; isOwn: boolean }[]> {
  const [newest] = await selectVersions(deps).limit(1)
  const own = parseEmailWords(newest?.document ?? '{}')
  return emailKindNames.map((kind) => {
    const { label, sent } = emailKinds[kind]
    return { kind, label, sent, isOwn: kind in own }
  })
}

/** The stored words of an email, and those of the last ten versions of the settings that changed them. */
export async function readEmail(
  deps: Deps,
  kind: EmailKindName,
): Promise<{ version: number; words: EmailWords; isOwn: boolean; versions: SettingsVersion[] }> {
  const rows = await selectVersions(deps).limit(11)
  const own = parseEmailWords(rows[0]?.document ?? '{}')[kind]
  const fields = Object.keys(emailWordLabels) as (keyof EmailWords)[]
  const versions = changesOf(rows, (isChanged) =>
    fields.filter((field) => isChanged(wordsKey(kind, field))).map((field) => emailWordLabels[field]),
  )
  return {
    version: rows[0]?.version ?? 0,
    words: own ?? defaultEmailWords(kind),
    isOwn: own !== undefined,
    versions: versions.filter(({ changed }) => changed.length > 0),
  }
}

/** As `saveSettings`. The words are those of the next email. */
export async function saveEmailWords(
  deps: Deps,
  admin: { id: string },
  kind: EmailKindName,
  { version, seen, ...values }: EmailWords & FormVersion,
): Promise<void> {
  const { subject, text, button } = values
  const keyOf = (field: keyof EmailWords) => wordsKey(kind, field)
  const labelOf = (field: keyof EmailWords) => emailWordLabels[field]
  const texts = { values: { subject, text, button }, defaults: defaultEmailWords(kind), labelOf, keyOf }
  await saveTexts(deps, admin, { version, seen }, texts)
}

const sampleDetails: Row[] = [
  ['Order', 'C-1042'],
  ['Instrument', 'Viola'],
  ['Price each', '$11.01'],
  ['Quantity', '3'],
  ['Total', '$33.03'],
  ['Ship to', 'Ada\n1 Bow Lane\nCremona'],
]

/** An email with words that need not be stored, and with the facts of an example. */
export function exampleOf(
  { origin }: Pick<Deps, 'origin'>,
  kind: EmailKindName,
  words: EmailWords,
): Pick<Email, 'subject' | 'text' | 'html'> {
  const { subject, text, html } = renderEmail({ id: '', recipient: '', ...exampleContent(origin, kind, words) })
  // The policy of the page refuses these styles. They are for the dark scheme.
  return { subject, text, html: html.replace(/<style>.*?<\/style>/s, '') }
}

function exampleContent(origin: string, kind: EmailKindName, words: EmailWords) {
  const samples = Object.fromEntries(Object.entries(variablesOf(kind)).map(([name, { sample }]) => [name, sample]))
  const values = {
    ...samples,
    link: origin,
    details: sampleDetails,
    unsubscribe: { from: 'Other emails', link: origin },
  }
  const reason = 'This is an example. Here your customers read why they get this email.'
  return { ...inWords(kind, values as Parameters<typeof inWords<typeof kind>>[1], words), reason }
}

/**
 * Sends an admin such an example. The same words again within a minute are not sent again. Refuses more than `testEmailsOfAccount`.
 */
export async function sendExample(
  deps: Deps,
  admin: { id: string; email: string },
  kind: EmailKindName,
  words: EmailWords,
): Promise<void> {
  await consumeRateLimit(deps, [{ key: `test email:${admin.id}`, ...limits.testEmailsOfAccount }])
  const { subject, text, button } = words
  const minute = Math.floor(deps.now() / 60_000)
  const key = await idOf(JSON.stringify([admin.id, kind, subject, text, button, minute]))
  const content = exampleContent(deps.origin, kind, words)
  await enqueueEmail(
    deps,
    writeEmail('test', key, { ...content, recipient: admin.email, subject: `Test: ${content.subject}` }),
  )
}
