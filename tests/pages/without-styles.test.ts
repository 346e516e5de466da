import { HTMLElement, NodeType, parse, type Node } from 'node-html-parser'
import { expect } from 'vitest'
import { seedDemoShop } from '../../dev/demo'
import { everyPage } from '../support/every-page'
import { test } from '../support/shop'

/** Elements that stand in their line, in browsers that do not know those of HTML 5 too (Lynx): every other one begins a new line or cell. */
const inline = new Set(
  `A BUTTON SPAN B CODE EM LABEL SMALL STRONG TIME PICTURE
  ARTICLE ASIDE DIALOG FIGCAPTION FIGURE FOOTER HEADER MAIN NAV SECTION`.split(/\s+/),
)
const silent = new Set(['HEAD', 'SCRIPT', 'STYLE', 'SVG'])

/** The words of a page as a browser without styles shows them: a line for each block. */
function linesOf(node: Node): string {
  if (node.nodeType === NodeType.TEXT_NODE) return node.text
  if (!(node instanceof HTMLElement) || silent.has(node.tagName)) return ''
  // What ends in one element and begins in the next is marked, to be seen where nothing stands between.
  const inside = node.childNodes.map(linesOf).join('')
  return inline.has(node.tagName) ? `¦${inside}¦` : `\n${inside}\n`
}

test('no two words of any page stick together where there are no styles', async ({ shop }) => {
  await seedDemoShop(shop.database.url)
  const stuck = new Set<string>()
  let pages = 0
  await shop.visitor().get('/healthz')
  await everyPage(shop.deps.origin, (name, answer) => {
    pages++
    const lines = linesOf(parse(answer.html).querySelector('body')!)
    for (const [found] of lines.matchAll(/[^\s¦]*[\p{L}\p{N}]¦+[\p{L}\p{N}][^\s¦]*/gu)) {
      stuck.add(`${name}: ${found.replaceAll('¦', '|')}`)
    }
    return answer
  })
  expect(pages).toBeGreaterThan(50)
  expect([...stuck]).toEqual([])
})
