import { decodeHTML } from 'entities'

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
  return decoded(withoutShortcodes(text))
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
  // oxlint-disable-next-line no-control-regex -- numbers may name them
  return decodeHTML(text).replace(/[\u0000-\u0008\u000b-\u001f\ufffd]/g, ' ')
}

/** What a reader sees of a name, which may have tags and entities too, in one line. */
export function lineOfHtml(text: string): string {
  return /[&<[]/.test(text) ? textOfHtml(text).replace(/\s+/g, ' ') : text
}

/**
 * WordPress's shortcodes, which stand for something that is not there: `[gallery ids="1"]`, `[caption]…[/caption]` without its text. Other
 * words in brackets stay.
 */
function withoutShortcodes(text: string): string {
  const closed = new Set([...text.matchAll(/\[\/([a-z][\w-]*)\]/gi)].map(([, name]) => name!.toLowerCase()))
  return text.replace(
    /\[(\/?)([a-z][\w-]{0,60})(\s{1,20}[\w-]{1,60}=[^[\]]{0,500})?\s{0,5}\/?\]/gi,
    (all, slash: string, name: string, attributes?: string) => {
      const word = name.toLowerCase()
      const isCode = slash !== '' || attributes !== undefined || closed.has(word) || shortcodes.test(word)
      return isCode ? '' : all
    },
  )
}

const shortcodes =
  /^(gallery|caption|wp_caption|embed|audio|video|playlist|products?|product_(page|category|categories)|add_to_cart(_url)?|recent_products|featured_products|sale_products|related_products|contact-form(-7)?|(vc|et_pb|fusion|woocommerce|elementor)[_-][\w-]+)$/
