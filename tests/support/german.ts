import { HTMLElement, NodeType, type Node } from 'node-html-parser'
import { german } from '../../app/i18n/de'
import type { PageResponse } from './test-browser'
import type { Shop } from './shop'

export async function speakGerman(shop: Shop, vars?: Record<string, string>): Promise<void> {
  await shop.changesSettings(vars)
  const browser = await shop.signedIn(await shop.admin())
  await browser.press(await browser.get('/dashboard/settings'), 'Save', { secondLanguage: 'de' })
}

const attributes = [
  'placeholder',
  'aria-label',
  'alt',
  'title',
  'data-label',
  'data-button',
  'data-there',
  'data-none',
  'content',
]

/** What a page says: its texts, one for each text node, and those of its attributes. */
function textsOf({ page }: PageResponse): string[] {
  const texts: string[] = []
  const walk = (node: Node) => {
    if (node.nodeType === NodeType.TEXT_NODE) texts.push(node.text)
    if (!(node instanceof HTMLElement) || ['SCRIPT', 'STYLE'].includes(node.tagName)) return
    for (const name of attributes) texts.push(node.getAttribute(name) ?? '')
    for (const child of node.childNodes) walk(child)
  }
  walk(page)
  const seen = texts
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => /\p{L}{2}/u.test(text) && !text.startsWith('<!') && !/^[\w-]{20,}$/.test(text))
  return [...new Set(seen)]
}

const sameInBoth = new Set(
  Object.entries(german)
    .filter(([english, text]) => english === text)
    .map(([text]) => text),
)

/** What both pages say; `typed` is what people have typed, by its beginning. */
export function untranslated(german: PageResponse, english: PageResponse, typed: RegExp): string[] {
  const inEnglish = new Set(textsOf(english))
  return textsOf(german).filter((text) => inEnglish.has(text) && !sameInBoth.has(text) && !typed.test(text))
}
