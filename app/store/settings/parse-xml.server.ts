export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: (XmlElement | string)[]
}

/** What is wrong with a file, in words; `line` is its line, from 1 on. */
export class XmlProblem extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message)
  }
}

/** Control characters and halves of characters. */
const noText = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u

const name = `[\\p{L}_][\\p{L}\\p{N}_:.-]*`
const attribute = `\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`
const tokens = [
  ...['<\\?[^]*?\\?>', '<!--[^]*?-->', '<!\\[CDATA\\[(?<raw>[^]*?)\\]\\]>', `</(?<closed>${name})\\s*>`],
  `<(?<opened>${name})(?<attributes>(?:${attribute})*)\\s*(?<empty>/?)>`,
  '(?<text>[^<]+)',
]

/** The root of an XML file without a DOCTYPE. Refuses what is not well-formed, and every entity but the five that XML has. */
export function parseXml(xml: string): XmlElement {
  const odd = xml.search(noText)
  if (odd >= 0) throw new XmlProblem('it has characters that no text has', xml.slice(0, odd).split('\n').length)
  const document: XmlElement = { name: '', attributes: {}, children: [] }
  const open = [document]
  const token = new RegExp(tokens.join('|'), 'uy')
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const problem = (message: string) => new XmlProblem(message, xml.slice(0, at).split('\n').length)
    const found = token.exec(xml)?.groups
    if (!found) throw problem(`this cannot be read: ${xml.slice(at, at + 40)}`)
    const { raw, closed, opened, attributes = '', empty, text } = found
    const parent = open.at(-1)!
    if (raw !== undefined) parent.children.push(raw)
    if (text !== undefined) parent.children.push(decode(text, problem))
    if (closed !== undefined && (open.pop()!.name !== closed || open.length === 0))
      throw problem(`</${closed}> closes nothing`)
    if (opened === undefined) continue
    const element = { name: opened, attributes: attributesOf(attributes, problem), children: [] }
    parent.children.push(element)
    if (!empty) open.push(element)
  }
  const last = xml.split('\n').length
  const [root, ...others] = document.children.filter((child) => typeof child !== 'string' || child.trim() !== '')
  if (open.length > 1) throw new XmlProblem(`<${open.at(-1)!.name}> is not closed`, last)
  if (root === undefined || typeof root === 'string' || others.length > 0)
    throw new XmlProblem('one element must have all others in it', last)
  return root
}

type Problem = (message: string) => XmlProblem

function attributesOf(text: string, problem: Problem): Record<string, string> {
  const all = Array.from(text.matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/gu), ([, key = '', value = '']) => [
    key,
    decode(value.slice(1, -1), problem),
  ])
  const attributes = Object.fromEntries(all) as Record<string, string>
  if (Object.keys(attributes).length < all.length) throw problem('an attribute is there twice')
  return attributes
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decode(text: string, problem: Problem): string {
  return text.replace(/&(#?)(x?)([^;\s]{0,10});?/g, (whole, isNumber: string, isHex: string, digits: string) => {
    const code = parseInt(digits, isHex ? 16 : 10)
    const character = isNumber ? code <= 0x10ffff && String.fromCodePoint(code) : entities[isHex + digits]
    if (!character || noText.test(character) || !whole.endsWith(';')) throw problem(`we do not know ${whole}`)
    return character
  })
}
