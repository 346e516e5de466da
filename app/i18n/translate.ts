import { formatValue, locales, tableHere, type Table, type Text } from './language'

/** What a rule or a refusal of the store says, which are in English, in the language of this request. What the table does not have stays. */
export function translate(message: string): string {
  const table = tableHere()
  if (!table) return message
  if (message in table) return table[message as Text]
  for (const [text, pattern] of (patterns ??= patternsOf(table))) {
    const values = pattern.exec(message)?.groups
    if (values) return table[text].replace(/\{(\w+)\}/g, (_, name: string) => translateValue(values[name] ?? ''))
  }
  return message
}

let patterns: [Text, RegExp][] | undefined

/** Of the texts with variables: those that say most stand first. */
function patternsOf(texts: Table): [Text, RegExp][] {
  const withVariables = (Object.keys(texts) as Text[]).filter((text) => text.includes('{'))
  const wordsOf = (text: string) => text.replace(/\{\w+\}/g, '').length
  return withVariables
    .sort((one, other) => wordsOf(other) - wordsOf(one))
    .map((text) => {
      const source = text
        .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
        .replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>.+)`)
      return [text, new RegExp(`^${source}$`, 's')]
    })
}

/** A number, a price, or a text of the table. */
function translateValue(value: string): string {
  const isPrice = /^\$[\d,]+(\.\d\d)?$/.test(value)
  const number = Number(value.replace(/[$,]/g, ''))
  if (isPrice) return number.toLocaleString(locales.de, { style: 'currency', currency: 'USD' })
  return /^\d+$/.test(value) ? formatValue(number) : translate(value)
}
