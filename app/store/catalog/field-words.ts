import { t } from '../../i18n/language'
import { readAge } from './ages'
import { shownFamilies } from './families'
import { factKeys, fieldOf, type FieldKey, type Fields } from './fields'
import type { Attribute, Instrument } from './instruments'

type Words<Field> =
  | (Field extends { choices: infer Choices } ? Choices[keyof Choices] : never)
  | (Field extends { label: infer Label } & ({ isFact: true } | { isFilter: true }) ? Label : never)
type Shown = Words<Fields[FieldKey]>

/** A label or a choice: one that the German table lacks is a type error here. */
const inWords = (text: string) => t(text as Shown)

export const labelOf = (key: FieldKey) => inWords(fieldOf(key).label)

/** What customers choose from. */
export function choicesOf(key: FieldKey): { value: string; text: string }[] {
  const { choices } = fieldOf(key)
  if (choices) return Object.entries(choices).map(([value, text]) => ({ value, text: inWords(text) }))
  return shownFamilies().map(({ slug, name }) => ({ value: slug, text: name }))
}

/** How customers read a value. Empty: there is none. */
export function wordsOf(key: FieldKey, value: string | number | null): string {
  if (fieldOf(key).type === 'age') return ageInWords(String(value ?? ''))
  if (fieldOf(key).type !== 'choice') return String(value ?? '')
  return choicesOf(key).find((choice) => choice.value === value)?.text ?? ''
}

function ageInWords(text: string): string {
  const [from, to] = readAge(text) ?? []
  if (from === undefined) return ''
  return to ? t('For about {from} to {to} years', { from, to }) : t('From about {from} years', { from })
}

/** The fields that are facts, and then what the shopkeeper has written. */
export function specificationOf(instrument: Instrument): Attribute[] {
  const facts = factKeys.map((key): Attribute => [labelOf(key), wordsOf(key, instrument[key])])
  return [...facts.filter(([, words]) => words !== ''), ...instrument.attributes]
}
