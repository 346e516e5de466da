import { HTMLElement, NodeType, parse, type Node } from 'node-html-parser'
import { seedDemoShop } from '../../dev/demo'
import { everyPage } from '../support/every-page'
import { expect, test } from '../support/shop'

/** Inline elements, for browsers that do not know HTML 5 (Lynx) too. */
const inline = new Set(
  `A BUTTON SPAN B CODE EM LABEL SMALL STRONG TIME PICTURE
  ARTICLE ASIDE DIALOG FIGCAPTION FIGURE FOOTER HEADER MAIN NAV SECTION`.split(/\s+/),
)
const silent = new Set(['HEAD', 'SCRIPT', 'STYLE', 'SVG'])

function linesOf(node: Node): string {
  if (node.nodeType === NodeType.TEXT_NODE) return node.text
  if (!(node instanceof HTMLElement) || silent.has(node.tagName)) return ''
  const inside = node.childNodes.map(linesOf).join('')
  return inline.has(node.tagName) ? `¦${inside}¦` : `\n${inside}\n`
}

test(
  'separates all words on every page without styles, and gives no id twice',
  { timeout: 300_000 },
  async ({ shop }) => {
    await seedDemoShop(shop.database)
    const stuck = new Set<string>()
    const doubled = new Set<string>()
    let pages = 0
    await shop.visitor().get('/healthz')
    await everyPage(shop.deps.origin, (name, response) => {
      pages++
      const body = parse(response.html).querySelector('body')!
      // A label would lead to the wrong field.
      const ids = body.querySelectorAll('[id]').map(({ id }) => id)
      for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) doubled.add(`${name}: ${id}`)
      const lines = linesOf(body)
      for (const [match] of lines.matchAll(/[^\s¦]*[\p{L}\p{N}]¦+[\p{L}\p{N}][^\s¦]*/gu)) {
        stuck.add(`${name}: ${match.replaceAll('¦', '|')}`)
      }
      return response
    })
    expect(pages).toBeGreaterThan(50)
    expect([[...stuck], [...doubled]]).toEqual([[], []])
  },
)
