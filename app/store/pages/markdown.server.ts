import MarkdownIt from 'markdown-it'
import { cutText } from '../shared/text'

/*
 * The texts of the shopkeeper, in CommonMark (decision 48). HTML and pictures have no place in them: what is typed as such is refused
 * when it is saved, and shown as plain text if it got into the database in another way.
 */

/** Lists in quotes in lists, and so on. A token of its own for the begin of each. */
const maxNesting = 12

const options = { linkify: false, typographer: false, maxNesting: 20 }
const renderer = new MarkdownIt('commonmark', { ...options, html: false }).disable('image')
/** It understands HTML and pictures, to name them. */
const checker = new MarkdownIt('commonmark', { ...options, html: true })

/** An https address, an email address, a phone number, a path of this shop, or a place on the same page. */
const permittedLink = /^(https:\/\/[^/]|mailto:|tel:|\/(?![/\\])|#)/i

renderer.validateLink = (url) => permittedLink.test(url)
checker.validateLink = () => true

/** The title of the page is its only heading of the first level. */
const headingTag = (tag: string) => `h${Math.min(Number(tag[1]) + 1, 6)}`
renderer.core.ruler.push('headings below the title', ({ tokens }) => {
  for (const token of tokens) if (token.type.startsWith('heading_')) token.tag = headingTag(token.tag)
})

/** HTML that has no more than headings, paragraphs, lists, quotes, code, emphasis, line breaks, rules and permitted links. */
export function renderMarkdown(text: string): string {
  return renderer.render(text)
}

/** What cannot be shown, with the line from 1, in the order of the text; three at most. */
export function findMarkdownProblems(text: string): string[] {
  const problems: string[] = []
  for (const token of checker.parse(text, {})) {
    const line = (token.map?.[0] ?? 0) + 1
    const report = (problem: string) => problems.push(`Line ${line}: ${problem}`)
    if (token.level > maxNesting) report('too many lists or quotes within each other.')
    if (token.type === 'html_block') report(htmlProblem)
    for (const child of token.children ?? []) {
      if (child.type === 'html_inline') report(htmlProblem)
      if (child.type === 'image') report('pictures cannot be shown in a page.')
      const href = child.type === 'link_open' ? String(child.attrGet('href') ?? '') : null
      if (href !== null && !permittedLink.test(href))
        report(`a link leads to ${cutText(href, 40) || 'nothing'}: it must begin with https://, mailto:, tel: or /.`)
    }
    if (problems.length >= 3) break
  }
  return problems.slice(0, 3)
}

const htmlProblem = 'HTML cannot be shown. Write Markdown, and \\< for a sign.'
