import type { Attribute } from '../../db/schema'

export type { Attribute } from '../../db/schema'

/** Lines of a specification. */
export const maxAttributes = 20

/** As one line, like 'Body: Maple; Length: 60 cm'; a backslash stands before signs that would be read otherwise. */
export function attributesText(attributes: Attribute[]): string {
  return attributes
    .map(([name, value]) => `${name.replace(/[\\;:]/g, '\\$&')}: ${value.replace(/[\\;]/g, '\\$&')}`)
    .join('; ')
}

/** Reads what `attributesText` wrote, also with line breaks between the pairs. Null for a part without a colon. */
export function readAttributes(text: string): Attribute[] | null {
  const pairs: Attribute[] = []
  for (const part of text.match(/(?:\\.|[^\\;\n])+/gsu) ?? []) {
    if (part.trim() === '') continue
    const found = /^((?:\\.|[^\\:])*):(.*)/su.exec(part)
    if (!found) return null
    pairs.push([unescaped(found[1]!), unescaped(found[2]!)])
  }
  return pairs
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gsu, '$1').trim()
}
