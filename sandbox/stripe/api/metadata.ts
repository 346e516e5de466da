import type Stripe from 'stripe'
import { branchAt, textAt, type Form } from '../core/form'
import { invalid } from '../core/refusal'

export function metadataAt(form: Form, path: string, before: Stripe.Metadata = {}): Stripe.Metadata {
  const given = branchAt(form, path)
  if (!given) return isCleared(form, path) ? {} : before
  const after = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(given)) {
    const param = `${path}[${key}]`
    if (key.length > 40) {
      throw invalid(
        `Metadata keys can have up to 40 characters, but you passed in a key that is ${key.length} characters.`,
        { param },
      )
    }
    if (value === '') after.delete(key)
    else {
      const text = textAt(form, param)!
      if (text.length > 500) {
        throw invalid(
          `Metadata values can have up to 500 characters, but you passed in a value that is ${text.length} characters.`,
          { param },
        )
      }
      after.set(key, text)
    }
  }
  if (after.size > 50) throw invalid('You can only have up to 50 metadata keys.', { param: path })
  return Object.fromEntries(after)
}

function isCleared(form: Form, path: string): boolean {
  const [name, below] = path.split(/[[\]]+/)
  return (below ? branchAt(form, name!)?.[below] : form[name!]) === ''
}
