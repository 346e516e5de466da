/** What a spreadsheet makes of numbers and days. What could mean two things stays as it is, and is refused by the rules of its field. */

const compact = (text: string) =>
  text
    .trim()
    .replace(/^'/, '')
    .replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '')

/**
 * A price as `centsFromText` reads it: `12,50`, `1.234,50`, `1 234,50` and `1'234.50` too. `1,234` is 1.234 where a decimal comma may
 * stand, which is any file that is not split at commas.
 */
export function readPrice(text: string, separator = ','): string {
  const price = compact(text.replace(/^\s*(?:US\$|USD)\s*|\s*(?:\$|USD)\s*$/g, ''))
  if (/^\d{1,3}(\.\d{3}){2,}$/.test(price)) return price.replaceAll('.', '')
  const hasComma = /^(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(price) || (separator !== ',' && /^\d+,\d+$/.test(price))
  return hasComma ? price.replaceAll('.', '').replace(',', '.') : price
}

/** A whole number: `1 000`, `+5`, `5.00` and `5,0` too. */
export function readCount(text: string): string {
  return compact(text)
    .replace(/^\+/, '')
    .replace(/^(-?\d+)[.,]0{1,2}$/, '$1')
}

/** `2098-12-24` of `12/24/2098`, `24.12.2098` and `2098/12/24`. Null for what is one of two days, such as `12/1/2098`. */
export function readDayOf(text: string): string | null {
  const day = text.trim().replace(/(?<=\d)[T ]00:00(:00(\.0+)?)?Z?$/, '')
  const [, year, month, date] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(day) ?? []
  if (year) return iso(year, month!, date!)
  const [, one, sign, other, last] = /^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4})$/.exec(day) ?? []
  if (!last) return text
  // Points stand between days in the order of Europe only.
  if (Number(other) > 12) return iso(last, one!, other!)
  return sign === '.' || Number(one) > 12 || Number(one) === Number(other) ? iso(last, other!, one!) : null
}

const iso = (year: string, month: string, day: string) => [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
