const entities: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…', bull: '•' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', deg: '°', frac12: '½', frac14: '¼' },
  ...{ frac34: '¾', times: '×', copy: '©', reg: '®', trade: '™', euro: '€', pound: '£', szlig: 'ß', eacute: 'é' },
  ...{ egrave: 'è', agrave: 'à', ccedil: 'ç', auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü' },
}

/** What a reader of the HTML sees, with a line for each block and list item. It is text: nothing of it is trusted. */
export function textOfHtml(html: string): string {
  let text = ''
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) break
    const name = /^<\/?([a-z][a-z0-9]*|!)/i.exec(html.slice(open, open + 20))?.[1]?.toLowerCase()
    if (name === undefined) {
      text += html.slice(at, open + 1)
      at = open + 1
      continue
    }
    text += html.slice(at, open) + (html[open + 1] === '/' ? endOf(name) : startOf(name))
    at = endOfTag(html, open, name)
  }
  text += html.slice(at)
  return decoded(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const blocks = /^(p|div|ul|ol|table|tr|h[1-6]|section|article|blockquote|br|hr|pre|dl|dt|dd)$/
const startOf = (name: string) =>
  name === 'li' ? '\n- ' : name === 'td' || name === 'th' ? ' ' : blocks.test(name) ? '\n' : ''
const endOf = (name: string) => (/^(p|h[1-6]|ul|ol|table)$/.test(name) ? '\n\n' : blocks.test(name) ? '\n' : '')

/** After the tag, or after all of what is not shown. */
function endOfTag(html: string, open: number, name: string): number {
  const find = (sign: string, skip: number) => {
    const end = html.indexOf(sign, open)
    return end === -1 ? html.length : end + skip
  }
  if (html.startsWith('<!--', open)) return find('-->', 3)
  if (/^(script|style|iframe|noscript|template|svg)$/.test(name) && html[open + 1] !== '/') {
    const close = html.slice(open).search(new RegExp(`</${name}`, 'i'))
    if (close === -1) return html.length
    const end = html.indexOf('>', open + close)
    return end === -1 ? html.length : end + 1
  }
  return find('>', 1)
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi,
    (entity, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? (hex === undefined ? null : parseInt(hex, 16)) : Number(decimal)
      if (code === null) return entities[name ?? ''] ?? entity
      return code > 31 && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' '
    },
  )
}
