import { etagOf } from '../cache/etag.server'

/** An element whose text is escaped; `content` in an array is XML already. */
export function element(name: string, content: string | string[], attributes: Record<string, string> = {}): string {
  const start = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(value)}"`)].join(' ')
  if (content === '') return `<${start}/>`
  return `<${start}>${Array.isArray(content) ? content.join('') : escapeXml(content)}</${name}>`
}

export const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** With an ETag, so that the page cache takes it. */
export async function fileResponse(text: string, type: string): Promise<Response> {
  const etag = await etagOf(new TextEncoder().encode(text))
  return new Response(text, { headers: { 'content-type': `${type}; charset=utf-8`, etag } })
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0 has no place for most control characters, not even escaped. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"]/g, (character) => entities[character]!)
}
