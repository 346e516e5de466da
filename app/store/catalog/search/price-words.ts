import { centsFromText } from '../../shared/money'

/** What a search says of the price: the other words, and its limits in dollars, empty where there is none. */
export interface PriceWords {
  q: string
  min: string
  max: string
}

/** In dollars, and not a size (3/4), an age or a length. */
const price = String.raw`\$? ?(\d+(?:,\d{3})*(?:\.\d\d?)?)(?: ?(?:\$|usd\b|dollars?\b))?(?![\w/%"'.,]*\d|[\w/%"']| *(?:years?|yrs?|cm|mm|inch(?:es)?|keys?|pieces?)\b)`
const between = new RegExp(String.raw`\b(?:between|from) ${price} (?:and|to) ${price}`, 'i')
const below = new RegExp(
  String.raw`(?<!\b(?:not?|nothing) )\b(?:under|below|less than|cheaper than|up to|at most|(?:not?|nothing) (?:over|above|more than)) ${price}`,
  'i',
)
const above = new RegExp(
  String.raw`(?<!\b(?:not?|nothing) )\b(?:over|above|more than|at least|(?:not?|nothing) (?:under|below|less than)) ${price}`,
  'i',
)

/** 'violin under $1,000' is a search for 'violin' up to 1000 dollars. Null without such words. English alone. */
export function readPriceWords(typed: string): PriceWords | null {
  const text = typed.replace(/\s+/g, ' ')
  const found = between.exec(text)
  const [lower, upper] = found ? inOrder(found[1]!, found[2]!) : [above.exec(text)?.[1], below.exec(text)?.[1]]
  if (lower === undefined && upper === undefined) return null
  const q = [between, below, above].reduce((rest, words) => rest.replace(words, ' '), text)
  // What stood behind the price.
  return {
    q: q
      .replace(/(^| )[.,;!?]+(?= |$)/g, ' ')
      .replace(/ +/g, ' ')
      .trim(),
    min: plain(lower),
    max: plain(upper),
  }
}

function inOrder(one: string, other: string): [string, string] {
  return centsFromText(one)! <= centsFromText(other)! ? [one, other] : [other, one]
}

function plain(price = ''): string {
  return price.replaceAll(',', '')
}
