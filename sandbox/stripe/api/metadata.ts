import type Stripe from 'stripe'
import { formAt, requireText, type Form } from '../core/form'
import { invalid } from '../core/refusal'

export function metadataAt(form: Form, path: string): Stripe.Metadata {
  const pairs = Object.entries(formAt(form, path) ?? {}).filter(([, value]) => value !== '')
  const entries = pairs.map(([key]): [string, string] => {
    const param = `${path}[${key}]`
    if (key.length > 40) {
      throw invalid(
        `Metadata keys can have up to 40 characters, but you passed in a key that is ${key.length} characters.`,
        { param },
      )
    }
    const value = requireText(form, param)
    if (value.length > 500) {
      throw invalid(
        `Metadata values can have up to 500 characters, but you passed in a value that is ${value.length} characters.`,
        { param },
      )
    }
    return [key, value]
  })
  if (entries.length > 50) throw invalid('You can only have up to 50 metadata keys.', { param: path })
  return Object.fromEntries(entries)
}
