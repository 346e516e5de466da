import { expect, test } from 'vitest'
import { findMarkdownProblems, renderMarkdown } from './markdown.server'
import { maxPageText } from './pages'

test('renders headings below the title, lists, emphasis and links', () => {
  expect(renderMarkdown('# One\n\n## Two\n\n- **a**\n- [b](/home)\n\n[c](https://example.com "d")')).toBe(
    '<h2>One</h2>\n<h3>Two</h3>\n<ul>\n<li><strong>a</strong></li>\n<li><a href="/home">b</a></li>\n</ul>\n' +
      '<p><a href="https://example.com" title="d">c</a></p>\n',
  )
})

const hostile: [text: string, problem: RegExp][] = [
  ['Hello\n\n<script>alert(1)</script>', /Line 3: HTML cannot be shown/],
  ['A <b onclick="x">word</b>', /Line 1: HTML/],
  ['<!-- hidden -->', /Line 1: HTML/],
  ['[a](javascript:alert(1))', /Line 1: a link leads to javascript:alert\(1\)/],
  ['[a](JaVaScRiPt&colon;alert(1))', /a link leads to/],
  ['[a](data:text/html;base64,xx)', /a link leads to data:/],
  ['[a](vbscript:x)', /a link leads to vbscript/],
  ['[a](//elsewhere.example)', /a link leads to \/\/elsewhere/],
  ['[a](http://plain.example)', /a link leads to http:/],
  ['<javascript:alert(1)>', /a link leads to/],
  ['[a]\n\n[a]: javascript:alert(1)', /a link leads to/],
  ['![a](https://pixel.example/1.png)', /pictures cannot be shown/],
  ['>'.repeat(30) + ' deep', /too many lists or quotes/],
  [Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'), /too many lists or quotes/],
]

test.each(hostile)('names what is wrong with %j, and shows it as plain text at most', (text, problem) => {
  expect(findMarkdownProblems(text).join(' ')).toMatch(problem)
  const html = renderMarkdown(text)
  expect(
    html.replace(/<\/?(p|ul|li|blockquote|code|pre|a href="https:[^"]*")>|<a href="\/home">|<\/a>/g, ''),
  ).not.toMatch(/<|href=|src=/)
})

test('reads the longest text of any shape without getting stuck', () => {
  const n = maxPageText
  const shapes = [
    ...['>', '[', '![', '<', '&', '\\', '_', '`', '#', '- ', '*a _b ', '**x', '[a](', '![](('].map((sign) =>
      sign.repeat(n / sign.length),
    ),
    Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
    '[a]: x\n'.repeat(n / 7),
    `a${' '.repeat(n - 2)}b`,
  ]
  for (const text of shapes) {
    const startedAt = performance.now()
    findMarkdownProblems(text)
    renderMarkdown(text)
    // On an idle machine the slowest takes 0.4 s.
    expect([text.slice(0, 5), performance.now() - startedAt < 4000]).toEqual([text.slice(0, 5), true])
  }
})
