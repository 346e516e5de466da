import { createHash } from 'node:crypto'

/** Escaped HTML: only `html` creates it. */
export interface Html {
  readonly safe: string
}

type Part = Html | string | number | false | null | undefined | Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { safe: strings.reduce((all, string, i) => all + render(parts[i - 1]) + string) }
}

function render(part: Part): string {
  if (part === false || part === null || part === undefined) return ''
  if (Array.isArray(part)) return part.map(render).join('')
  if (typeof part === 'object') return part.safe
  return escape(String(part))
}

export function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}

interface Page {
  title: string
  body: Html
  status?: number
  policy?: Record<string, string>
  styles?: string
}

export function page({ title, body, status = 200, policy = {}, styles = '' }: Page): Response {
  const css = baseStyle + styles
  const directives = {
    'default-src': "'none'",
    'style-src': `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
    'img-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    ...policy,
  }
  // The policy names the style by hash: no whitespace may come between the tags and the CSS.
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${{ safe: `<style>${css}</style>` }}
      </head>
      <body>
        ${body}
      </body>
    </html>`
  return new Response(document.safe, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': Object.entries(directives)
        .map(([name, value]) => `${name} ${value}`)
        .join('; '),
      // Not no-referrer: browsers would post forms with `Origin: null`.
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}

const baseStyle = `
:root { --paper: #fbf7f0; --ink: #1e1814; --varnish: #7a2b1b; --brass: #a9772b; --spruce: #efe5d3; --error: #b3261e; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main, header, footer { max-width: 44rem; margin: 0 auto; padding: 0 1.25rem; }
h1, h2 { font-family: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif; font-weight: 600; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; }
h2 { font-size: 1.25rem; }
p { margin: 0.75rem 0; }
a { color: var(--varnish); text-underline-offset: 0.2em; }
a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--brass); outline-offset: 2px; }
.notice { background: var(--spruce); border-bottom: 1px solid var(--brass); }
.notice p { max-width: 44rem; margin: 0 auto; padding: 0.75rem 1.25rem; }
.amount { font-variant-numeric: tabular-nums; white-space: nowrap; }
`
