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
  /** Its handle, with the options of a variant, or its ID; empty: none. */
  key: string
  /** Not shown in the lists of the other shop. */
  isHidden: boolean
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
  /** By the name of the column, in lower case; empty ones are left out. */
  cells: Record<string, string>
}

export interface Reading {
  products: ForeignProduct[]
  left: ForeignNote[]
  notes: ForeignNote[]
  joined: number
  /** Whether a column, by its name in lower case, comes along. */
  isUsed: (name: string) => boolean
}
