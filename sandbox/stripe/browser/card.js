// @ts-check

/** @typedef {'number' | 'expiry' | 'cvc'} FieldName */
/** @typedef {{ code: string, message: string, incomplete: boolean }} Fault */

/** @type {Record<FieldName, (input: string, deleting: boolean) => string>} */
export const formatters = {
  number(input) {
    const all = digits(input)
    if (!isAmex(all)) return all.slice(0, 16).replace(/(\d{4})(?=\d)/g, '$1 ')
    return [all.slice(0, 4), all.slice(4, 10), all.slice(10, 15)].filter(Boolean).join(' ')
  },
  expiry(input, deleting) {
    const all = digits(input)
    // While deleting, drop only a slash without digits behind it.
    if (deleting) return /\/.*\d/.test(input) ? input : all
    const [, first = '', rest = ''] = /^\s*(\d{1,2})\s*[/-](.*)$/.exec(input) ?? [null, all.slice(0, 2), all.slice(2)]
    const isMonth = first > '1' || /[/-]/.test(input)
    const month = first.length === 1 && isMonth ? `0${first}` : first
    const year = digits(rest)
    return month.length < 2 ? month : `${month} / ${year.length === 4 ? year.slice(2) : year.slice(0, 2)}`
  },
  cvc: (input) => digits(input).slice(0, 4),
}

/** @type {Record<FieldName, (value: string, now: Date, number?: string) => Fault | null>} */
export const validators = {
  number(value) {
    const number = digits(value)
    if (number.length < (isAmex(number) ? 15 : 16)) return incomplete('number', 'Your card number is incomplete.')
    return passesLuhn(number) ? null : invalid('invalid_number', 'Your card number is invalid.')
  },
  expiry(value, now) {
    const all = digits(value)
    if (all.length < 4) return incomplete('expiry', "Your card's expiration date is incomplete.")
    const [month, year] = [Number(all.slice(0, 2)), 2000 + Number(all.slice(2))]
    if (month < 1 || month > 12) return invalid('invalid_expiry_month', "Your card's expiration month is invalid.")
    if (year < now.getFullYear()) {
      return invalid('invalid_expiry_year_past', "Your card's expiration year is in the past.")
    }
    if (year > now.getFullYear() + 50) return invalid('invalid_expiry_year', "Your card's expiration year is invalid.")
    return year === now.getFullYear() && month < now.getMonth() + 1
      ? invalid('invalid_expiry_month_past', "Your card's expiration date is in the past.")
      : null
  },
  cvc(value, _now, number = '') {
    const length = isAmex(number) ? 4 : 3
    if (value.length < length) return incomplete('cvc', "Your card's security code is incomplete.")
    return value.length > length ? invalid('invalid_cvc', "Your card's security code is invalid.") : null
  },
}

function isAmex(/** @type {string} */ number) {
  return /^3[47]/.test(number)
}

function digits(/** @type {string} */ text) {
  return text.replace(/\D/g, '')
}

function incomplete(/** @type {FieldName} */ field, /** @type {string} */ message) {
  return { code: `incomplete_${field}`, message, incomplete: true }
}

function invalid(/** @type {string} */ code, /** @type {string} */ message) {
  return { code, message, incomplete: false }
}

function passesLuhn(/** @type {string} */ number) {
  const sum = [...number].reverse().reduce((total, digit, i) => {
    const doubled = Number(digit) * (i % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
