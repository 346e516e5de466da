import { requireText, textAt, textsAt, type Form } from '../core/form'
import { invalid, unsupported } from '../core/refusal'

/** Other currencies have other minimum amounts. */
export function currencyAt(form: Form, path: string): 'usd' {
  const currency = requireText(form, path).toLowerCase()
  if (currency === 'usd') return currency
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}.`, { param: path })
  throw unsupported(`${path} ${currency}, only usd`)
}

export function cardOnlyAt(form: Form, path: string): 'card'[] | null {
  const types = textsAt(form, path)
  if (types === undefined) return null
  requireEach(types, path, ['card'])
  return ['card']
}

export function requireSupported(form: Form, path: string, supported: string[]): void {
  const value = textAt(form, path)
  if (value !== undefined) requireEach([value], path, supported)
}

function requireEach(values: string[], path: string, supported: string[]): void {
  const other = values.find((value) => !supported.includes(value))
  if (other !== undefined) throw unsupported(`${path} ${other}, only ${supported.join(', ')}`)
}
