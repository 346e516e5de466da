import { expect, test } from 'vitest'
import { textOfHtml } from './html-text.server'

test.each([
  ['<p>One &amp; two</p><p>Three</p>', 'One & two\n\nThree'],
  ['<ul><li>A</li><li>B</li></ul>C', '- A\n- B\n\nC'],
  ['a<br>b<br/>c', 'a\nb\nc'],
  ['<script>alert("<p>")</script>x<style>p{}</style><!-- <b> -->y', 'xy'],
  ['<SCRIPT>never closed', ''],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['<p onclick="a">&#233;&#x2014;&eacute;&nbsp;&none;&#0;&#xd800;</p>', 'é—é &none;'],
  ['&lt;script&gt;', '<script>'],
  ['<p', ''],
])('makes %j plain', (html, text) => {
  expect(textOfHtml(html)).toBe(text)
})

test('reads a megabyte of tags without getting stuck', () => {
  for (const part of ['<p>', '<', '<!--', '<script>', '&#1', '<li>a', '</'])
    expect(textOfHtml(part.repeat(1_000_000 / part.length)).length).toBeLessThan(2_000_000)
})
