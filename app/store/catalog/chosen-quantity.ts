import { t } from '../../i18n/language'
import { readWholeNumber } from '../shared/money'
import { describeShortage, type Instrument } from './instruments'

/** Null if so many can be ordered, or nothing is typed yet (spec section 5). */
export function quantityError(value: string, { min, max }: { min: number; max: number }): string | null {
  if (value === '') return null
  const quantity = readWholeNumber(value)
  if (quantity === undefined) return t('Order quantity must be a whole number')
  if (quantity > max) return t('Cannot be more than available')
  return quantity < min ? t('cannot be less than minimum order') : null
}

/** The same of an instrument that can be ordered, before anybody has logged in. */
export function choiceError(value: string, instrument: Instrument): string | null {
  const { minQuantity: min, availableQuantity: max } = instrument
  return describeShortage(instrument) ? null : quantityError(value, { min, max })
}

/** What a number field can show of a quantity in an address (R54): a whole number, or nothing. */
export function readChosen(text: string | null): string {
  const number = readWholeNumber(text ?? '')
  return Number.isSafeInteger(number) ? String(number) : ''
}
