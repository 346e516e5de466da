import { shopName } from '../../shop-name'
import type { EmailContent, Part, Row } from './layout.server'
import {
  defaultEmailWords,
  emailKindNames,
  fillIn,
  paragraphsOf,
  problemsOfWords,
  type BlockOf,
  type EmailKindName,
  type EmailWords,
  type VariableOf,
} from './words.server'
import { language, t } from '../../i18n/language'

/** Live, as the name of the shop is (`app/shop-name.ts`): those that an admin has changed. */
let changedWords: Partial<Record<EmailKindName, EmailWords>> = {}

export function setEmailWords(words: typeof changedWords): void {
  changedWords = words
}

/** Where a field stands in the document of the settings. */
export function wordsKey(kind: EmailKindName, field: string): string {
  return `email:${kind}:${field}`
}

/** The words of a stored document that differ from the defaults. */
export function parseEmailWords(json: string): typeof changedWords {
  const stored = JSON.parse(json) as Record<string, unknown>
  return Object.fromEntries(
    emailKindNames.flatMap((kind) => {
      const words: EmailWords = defaultEmailWords(kind)
      const fields = (Object.keys(words) as (keyof EmailWords)[]).filter((field) => {
        const text = stored[wordsKey(kind, field)]
        if (typeof text === 'string') words[field] = text
        return typeof text === 'string'
      })
      return fields.length > 0 ? [[kind, words]] : []
    }),
  )
}

/** Of a kind that says nothing itself, or whose words another Worker has stored that knows more variables: the defaults. */
function currentWords(kind: EmailKindName): EmailWords {
  const words = changedWords[kind]
  return words && problemsOfWords(kind, words).length === 0 ? words : wordsHere(kind)
}

/** In this language, where no admin has changed them. */
function wordsHere(kind: EmailKindName): EmailWords {
  return defaultEmailWords(kind, language())
}

/** `from`: of what the recipient gets no more emails. */
interface Unsubscribe {
  from: string
  link: string
}

type Values<Kind extends EmailKindName> = Record<VariableOf<Kind>, string | null> &
  ('link' extends BlockOf<Kind> ? { link: string } : object) &
  ('details' extends BlockOf<Kind> ? { details: Row[] } : object) &
  ('unsubscribe' extends BlockOf<Kind> ? { unsubscribe: Unsubscribe } : object)

/** Subject and paragraphs of an email in the words of the shop. A value that is empty or null takes its paragraph along. */
export function inWords<Kind extends EmailKindName>(
  kind: Kind,
  values: Values<Kind>,
  words: EmailWords = currentWords(kind),
): Pick<EmailContent, 'subject' | 'paragraphs'> {
  const { link, details, unsubscribe, ...rest } = values as Values<Kind> & {
    link?: string
    details?: Row[]
    unsubscribe?: Unsubscribe
  }
  const texts = { ...(rest as Record<string, string>), shop: shopName }
  const line = (text: string, otherwise: string) =>
    (fillIn(text, texts) ?? fillIn(otherwise, texts) ?? shopName).replace(/[\r\n]+/g, ' ')
  const defaults = wordsHere(kind)
  const blocks = new Map<string, Part | undefined>([
    ['{link}', link === undefined ? undefined : { button: { text: line(words.button, defaults.button), link } }],
    ['{details}', details && { rows: details }],
    ['{unsubscribe}', unsubscribe && { rows: [[unsubscribe.from, t('Send me no such emails'), unsubscribe.link]] }],
  ])
  return {
    subject: line(words.subject, defaults.subject),
    paragraphs: paragraphsOf(words.text).flatMap((text) => blocks.get(text) ?? fillIn(text, texts) ?? []),
  }
}
