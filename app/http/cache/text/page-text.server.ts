/*
 * Public pages as text, for a terminal and for poor connections: curl -H 'Accept: text/plain'. What a page shows stands between <main> and
 * </main>; forms need a browser.
 */

const blocks = 'h1, h2, h3, p, ul, ol, li, dl, div, section, article, table, tr, figure, blockquote, nav, summary'
/** The hints of a table repeat what the page of the instrument says. */
const omitted =
  'form, button, svg, script, style, dialog, [hidden], span[aria-hidden="true"], caption, table .hint:not(.error)'

/** A line for each block and each row; cells stand beside each other, links name their address. */
export async function pageText(html: Response): Promise<string> {
  const lines = new Lines()
  await new HTMLRewriter()
    .on('main', { element: (main) => lines.within(main) })
    .on(each('main', omitted), { element: (element) => lines.omit(element) })
    .on(each('main', blocks), { element: (element) => lines.block(element) })
    .on(each('main', 'td, th, dt, dd'), { element: (cell) => lines.gap(cell) })
    .on('main a[href]', { element: (link) => lines.link(link) })
    .on('main', { text: ({ text }) => lines.add(text) })
    .transform(html)
    .arrayBuffer()
  return lines.toString()
}

const each = (within: string, selectors: string) =>
  selectors
    .split(', ')
    .map((selector) => `${within} ${selector}`)
    .join(', ')

class Lines {
  private text = ''
  private depth = 0
  private omitted = 0
  private cells = 0

  within(main: Element): void {
    this.depth++
    main.onEndTag(() => {
      this.depth--
    })
  }

  omit(element: Element): void {
    // It has no text and no end.
    if (element.tagName === 'input') return
    this.omitted++
    element.onEndTag(() => {
      this.omitted--
    })
  }

  block(element: Element): void {
    // An element has one handler of its end only: a second one would replace that of `omit`.
    if (this.omitted > 0) return
    const { tagName } = element
    if (this.cells > 0) {
      this.write(' ')
      return
    }
    this.break(/^h\d$/.test(tagName) ? `\n${'#'.repeat(Number(tagName[1]))} ` : tagName === 'li' ? '- ' : '')
    element.onEndTag(() => this.break())
  }

  gap(cell: Element): void {
    if (this.omitted > 0) return
    const after = cell.tagName === 'dt' ? ': ' : '  '
    const isCell = cell.tagName.startsWith('t')
    if (isCell) this.cells++
    cell.onEndTag(() => {
      if (isCell) this.cells--
      this.write(after)
    })
  }

  link(link: Element): void {
    const href = decoded(link.getAttribute('href')!)
    link.onEndTag(() => this.write(href.startsWith('#') ? ' ' : ` <${href}> `))
  }

  add(text: string): void {
    this.write(decoded(text.replace(/\s+/g, ' ')))
  }

  private break(before = ''): void {
    this.write(`\n${before}`)
  }

  private write(text: string): void {
    if (this.depth > 0 && this.omitted === 0) this.text += text
  }

  toString(): string {
    const lines = this.text
      .split('\n')
      .map((line) => line.trim().replace(/ {3,}/g, '  '))
      // What a list item says stands in the blocks in it.
      .filter((line) => line !== '-')
    return `${lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()}\n`
  }
}

const decoded = (text: string) => text.replace(/&(\w+|#x27);/g, (entity, name: string) => entities[name] ?? entity)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': '’', nbsp: ' ' }
