import { z } from 'zod'
import type { Attribute } from '../../db/schema'
import { optional, singleLine } from '../shared/validation.server'
import { maxAttributes, readAttributes } from './attributes'
import { cutText } from '../shared/text'

const name = singleLine({ label: 'Name', required: 'Enter a name', max: 40 })
const value = singleLine({ label: 'Value', required: 'Enter a value', max: 200 })
const tooMany = `There can be at most ${maxAttributes} lines in a specification`
const noTwins = (name: string) => `${name} is there twice`

interface NameError {
  index: number
  message: string
}

/** What is wrong with the names; `index` counts from 0. Names that differ in case alone are the same. */
function findNameErrors(attributes: Attribute[]): NameError[] {
  const seen = new Set<string>()
  return attributes.flatMap(([name], index) => {
    const key = name.toLowerCase()
    const errors: NameError[] = []
    if (index === maxAttributes) errors.push({ index, message: tooMany })
    else if (seen.has(key)) errors.push({ index, message: noTwins(name) })
    seen.add(key)
    return errors
  })
}

/** In the JSON of an instrument: an object of strings, in its order. */
export const attributesField = z
  .record(z.string().max(1000), z.string({ error: 'A value must be text' }).max(5000))
  .transform((object, context) => readPairs(Object.entries(object), context))
  .optional()
  .meta({ description: `The specification: at most ${maxAttributes} names with their values` })

/** In a CSV file: see `attributesText`. */
export const attributesCell = z.string().transform((text, context): Attribute[] => {
  const pairs = readAttributes(text)
  if (pairs) return readPairs(pairs, context)
  context.addIssue({ code: 'custom', message: 'Write the specification like Body: Maple; Length: 60 cm' })
  return z.NEVER
})

function readPairs(pairs: Attribute[], { addIssue }: Pick<z.RefinementCtx, 'addIssue'>): Attribute[] {
  const wrong = (key: string, message: string) => addIssue({ code: 'custom', path: [key], message })
  const read = pairs.flatMap(([key, text]): Attribute[] => {
    const [one, other] = [name.safeParse(key), value.safeParse(text)]
    for (const { error } of [one, other]) if (error) wrong(cutText(key, 40), error.issues[0]!.message)
    return one.success && other.success ? [[one.data, other.data]] : []
  })
  for (const { index, message } of findNameErrors(read)) wrong(read[index]![0], message)
  return read
}

/** One more than there may be, so that the page says so. */
const rows = Array.from({ length: maxAttributes + 1 }, (_, index) => index + 1)
const fields = { name: optional(name).optional(), value: optional(value).optional() }

/** In the form: rows of which each may be empty; `numberRows` gives them their numbers. */
export const attributeRows = Object.fromEntries(
  rows.flatMap((row) => [
    [`attributeName${row}`, fields.name],
    [`attributeValue${row}`, fields.value],
  ]),
) as Record<`attributeName${number}`, typeof fields.name> & Record<`attributeValue${number}`, typeof fields.value>

type Rows = Partial<Record<`attributeName${number}` | `attributeValue${number}`, string | null | undefined>>

/** Adds the `attributes` of the form's rows, with errors beside the wrong fields. */
export function readAttributeRows<Form extends object>(
  form: Form & Rows,
  { addIssue }: Pick<z.RefinementCtx, 'addIssue'>,
): Form & { attributes?: Attribute[] | undefined } {
  const wrong = (of: 'Name' | 'Value', row: number, message: string) =>
    addIssue({ code: 'custom', path: [`attribute${of}${row}`], message })
  const complete = rows.flatMap((row) => {
    const [name, value] = [form[`attributeName${row}`], form[`attributeValue${row}`]]
    if (name && value) return [{ row, pair: [name, value] as Attribute }]
    if (name) wrong('Value', row, 'Enter a value, or remove the name')
    if (value) wrong('Name', row, 'Enter a name, or remove the value')
    return []
  })
  const attributes = complete.map(({ pair }) => pair)
  for (const { index, message } of findNameErrors(attributes)) wrong('Name', complete[index]!.row, message)
  return { ...form, attributes }
}

/** Such as 'Body Maple → Spruce, + Key: G'. Long values are cut. */
export function describeAttributes(before: Attribute[], after: Attribute[]): string {
  const earlier = new Map(before)
  const later = new Map(after)
  const changes = [
    ...after.flatMap(([name, value]) => {
      const old = earlier.get(name)
      if (old === undefined) return [`+ ${name}: ${short(value)}`]
      return old === value ? [] : [`${name} ${short(old)} → ${short(value)}`]
    }),
    ...before.flatMap(([name]) => (later.has(name) ? [] : [`− ${name}`])),
  ]
  return changes.join(', ') || 'order'
}

function short(text: string): string {
  return text.length > 60 ? `${cutText(text, 59)}…` : text
}
