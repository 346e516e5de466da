import { z } from 'zod'
import { optional, singleLine } from '../shared/validation.server'
import { plainSigns } from '../shared/text'

const vatNumberError =
  'VAT number must be 4 to 30 letters, digits, spaces, dots, dashes and slashes, with at least one digit'

/** What a company wants on its invoice, each optional. Blank is null. */
export const buyerFields = {
  company: optional(singleLine({ label: 'Company', required: 'Company must be text', max: 100 })).optional(),
  vatNumber: optional(
    z
      .string({ error: vatNumberError })
      .overwrite((typed) => plainSigns(typed).trim())
      .regex(/^(?=.*\d)[a-z\d][a-z\d ./-]{2,28}[a-z\d]$/i, { error: vatNumberError })
      .meta({ maxLength: 30 }),
  ).optional(),
  purchaseOrder: optional(
    singleLine({ label: 'Purchase order number', required: 'Purchase order number must be text', max: 60 }).overwrite(
      plainSigns,
    ),
  ).optional(),
}
