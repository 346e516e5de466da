import { findFamily } from '../family-words'
import { cutText } from '../../shared/text'

const productStates = ['on-sale', 'hidden', 'sold-out', 'low'] as const
const productSorts = ['listed', 'name', 'price', 'stock'] as const
export type ProductState = (typeof productStates)[number]
type ProductSort = (typeof productSorts)[number]

/** What the shopkeeper's list of products shows. */
export interface ProductQuery {
  q: string
  family: string
  state: ProductState | ''
  sort: ProductSort | ''
  /** A page of a search or a sorted list, from 1. */
  page: number
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | '' {
  return values.find((value) => value === text) ?? ''
}

export function readProductQuery(params: URLSearchParams): ProductQuery {
  return {
    q: cutText(params.get('q')?.trim() ?? '', 200),
    family: findFamily(params.get('family') ?? '')?.slug ?? '',
    state: oneOf(productStates, params.get('state')),
    sort: oneOf(productSorts, params.get('sort')),
    page: /^[1-9]\d{0,3}$/.test(params.get('page') ?? '') ? Number(params.get('page')) : 1,
  }
}

/** What is set in it, without the page. */
export function productQueryFields({ q, family, state, sort }: ProductQuery): [name: string, value: string][] {
  return Object.entries({ q, family, state, sort }).filter(([, value]) => value !== '' && value !== 'listed')
}

/** A search or a sort looks at so many products, the first that were listed. */
export const managedWindow = 10_000
