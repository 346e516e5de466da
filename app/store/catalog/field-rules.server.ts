import { z } from 'zod'
import type { instruments } from '../../db/schema'
import { imageAddress, multiLine, optional, quantityField, singleLine } from '../shared/validation.server'
import { familyField } from './families.server'
import { readAge } from './ages'
import { fieldOf, fields, type FieldKey, type Fields } from './fields'

type Row = typeof instruments.$inferSelect
type Rules = {
  [Key in FieldKey]: Fields[Key] extends { isRequired: true }
    ? z.ZodType<Row[Key], Row[Key]>
    : z.ZodOptional<z.ZodType<Row[Key] | undefined, Row[Key] | undefined>>
}

/** What each field must be, in a form, in JSON and in a CSV file. What is optional may be missing. */
export const rules = Object.fromEntries(
  (Object.keys(fields) as FieldKey[]).map((key) => [
    key,
    fieldOf(key).isRequired ? ruleOf(key) : ruleOf(key).optional(),
  ]),
) as unknown as Rules

function ruleOf(key: FieldKey): z.ZodType {
  const { label, type, max = 0, min = 0, choices, isRequired } = fieldOf(key)
  if (type === 'count') return quantityField(label, min)
  if (type === 'picture') return imageAddress
  if (type === 'age')
    return z
      .string({ error: `${label} must be text` })
      .transform((text) => text.trim().replace(/ *[-–] */, ' to ') || undefined)
      .refine((text) => text === undefined || readAge(text), { error: `${label} must be like 9 to 11, or 12+` })
  if (type === 'choice')
    return choices
      ? z.enum(Object.keys(choices), { error: `${label} must be ${Object.keys(choices).join(' or ')}` })
      : familyField
  const text = { label, required: isRequired ? `${label} is Required` : `${label} must be text`, max }
  const rule = type === 'line' ? singleLine(text) : multiLine(text)
  return isRequired ? rule : optional(rule)
}
