interface Field {
  /** In forms, errors and the audit log, and where customers read it in German too (`i18n/de.ts`). */
  label: string
  /** A line of text, a text of several, the address of a picture, a whole number, one of a few, or an age in years: `9 to 11`, or `12+`. */
  type: 'line' | 'text' | 'picture' | 'count' | 'choice' | 'age'
  /** Characters of a text. */
  max?: number
  /** The lowest number. */
  min?: number
  /** What can be chosen, with its words; without, the families of the shop. */
  choices?: Record<string, string>
  isRequired?: true
  /** For admins alone: neither in JSON, files and feeds nor on a public page. */
  isPrivate?: true
  /** The form has it in the group of the description. */
  isDescriptive?: true
  /** A line of the specification, on the page, for search engines and in the merchant feed. */
  isFact?: true
  /** A choice by which the list can be narrowed, on its page and in JSON. */
  isFilter?: true
  /** The search finds its words as it does the brand. `indexInstruments` writes them. */
  isSearched?: true
}

/**
 * What an instrument has that is one value, in the order of its JSON. A key is the property in `db/schema.ts`, the name in the form, the
 * key in JSON and the header in a CSV file. Prices, further pictures and the specification are lists, with modules of their own.
 */
export const fields = {
  name: { label: 'Name', type: 'line', max: 120, isRequired: true },
  img: { label: 'Picture', type: 'picture', isRequired: true },
  description: { label: 'Description', type: 'text', max: 2000, isDescriptive: true },
  minQuantity: { label: 'Minimum quantity', type: 'count', min: 1, isRequired: true },
  availableQuantity: { label: 'Available quantity', type: 'count', min: 0, isRequired: true },
  family: { label: 'Family', type: 'choice', isFilter: true },
  brand: { label: 'Brand', type: 'line', max: 60, isDescriptive: true, isSearched: true },
  level: {
    ...({
      label: 'Level',
      type: 'choice',
      isDescriptive: true,
      isFact: true,
      isFilter: true,
      isSearched: true,
    } as const),
    choices: { beginner: 'Beginner', intermediate: 'Intermediate', professional: 'Professional' },
  },
  ages: { label: 'For ages', type: 'age', isDescriptive: true, isFact: true },
  lowStock: { label: 'Low-stock email', type: 'count', min: 0, isPrivate: true },
} as const satisfies Record<string, Field>

export type Fields = typeof fields
export type FieldKey = keyof Fields

export const fieldOf = (key: FieldKey): Field => fields[key]

const keys = Object.keys(fields) as FieldKey[]
type KeysWith<Trait> = { [Key in FieldKey]: Fields[Key] extends Trait ? Key : never }[FieldKey]
const keysWith = <Trait extends Partial<Field>>(flag: keyof Trait & keyof Field) =>
  keys.filter((key) => fieldOf(key)[flag]) as KeysWith<Trait>[]

export const descriptiveKeys = keysWith<{ isDescriptive: true }>('isDescriptive')
export const factKeys = keysWith<{ isFact: true }>('isFact')
export const searchedKeys = keysWith<{ isSearched: true }>('isSearched')
export const filterKeys = keysWith<{ isFilter: true }>('isFilter')
export type FilterKey = (typeof filterKeys)[number]
export type PublicKey = Exclude<FieldKey, KeysWith<{ isPrivate: true }>>
export const publicKeys = keys.filter((key): key is PublicKey => !fieldOf(key).isPrivate)
/** What a shopkeeper edits: the stock moves by the audit log alone. */
export type EditedKey = Exclude<FieldKey, 'availableQuantity'>
export const editedKeys = keys.filter((key) => key !== 'availableQuantity')

export function pick<Whole, Key extends keyof Whole>(whole: Whole, keys: readonly Key[]): Pick<Whole, NoInfer<Key>> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]])) as Pick<Whole, Key>
}
