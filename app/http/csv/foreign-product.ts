import type { Attribute } from '../../store/catalog/attributes'

/** A line of a file of elsewhere, counted as a spreadsheet does, with why all or a part of it has no place here. */
export interface ForeignNote {
  line: number
  name: string
  message: string
}

/** A product as another shop exports it. */
export interface ForeignProduct {
  line: number
  name: string
  brand: string
  description: string
  price: string
  pieces: string
  pictures: string[]
  /** What may say of which family it is. */
  kind: string
  attributes: Attribute[]
}

export interface ForeignRow {
  line: number
  cells: Record<string, string>
}

export interface Reading {
  products: ForeignProduct[]
  left: ForeignNote[]
  notes: ForeignNote[]
  joined: number
}

/** The price of a file of elsewhere as `centsFromText` reads it: with a decimal comma too, `12,50` and `1.234,50`. */
export function readPrice(text: string): string {
  return /^(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text
}
