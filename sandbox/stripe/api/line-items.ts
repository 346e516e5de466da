import type Stripe from 'stripe'
import { formAt, throwMissing, requireInteger, requireText, type Form } from '../core/form'
import { newId } from '../core/ids'
import { invalid } from '../core/refusal'
import { currencyAt } from './supported'

export const lineItemPatterns = [
  'quantity',
  'price_data[currency]',
  'price_data[unit_amount]',
  'price_data[product_data][name]',
].map((path) => path.replace(/^(\w+)/, 'line_items[#][$1]'))

const maxItems = 100

export function lineItemsAt(form: Form, path: string, created: number): Stripe.LineItem[] {
  const indices = Object.keys(formAt(form, path) ?? {})
  if (indices.length > maxItems) throw invalid(`A session can have up to ${maxItems} line items.`, { param: path })
  return indices.map((index) => lineItemAt(form, `${path}[${index}]`, created))
}

function lineItemAt(form: Form, path: string, created: number): Stripe.LineItem {
  const quantity = requireInteger(form, `${path}[quantity]`, 1)
  if (!formAt(form, `${path}[price_data]`)) throwMissing(`${path}[price_data]`)
  const currency = currencyAt(form, `${path}[price_data][currency]`)
  const unitAmount = requireInteger(form, `${path}[price_data][unit_amount]`)
  const name = requireText(form, `${path}[price_data][product_data][name]`)
  const amount = quantity * unitAmount
  return {
    id: newId('li_'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency,
    description: name,
    metadata: {},
    price: {
      id: newId('price_'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created,
      currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: newId('prod_', 14),
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: unitAmount,
      unit_amount_decimal: null,
    },
    quantity,
  }
}
