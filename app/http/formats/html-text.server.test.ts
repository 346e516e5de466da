import { expect, test } from 'vitest'
import { lineOfHtml, textOfHtml } from './html-text.server'

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
  ['espa&ntilde;ol, 24&Prime; &NotSubset; &fjlig; &amp;amp; &copy 2026', 'español, 24″ ⊂⃒ fj &amp; © 2026'],
  ['A [gallery ids="1,2"] B [caption id="x"]seen[/caption] [vc_row][/vc_row]C', 'A B seen C'],
  ['Strings [Set of 4] [sic] [A=440 Hz]', 'Strings [Set of 4] [sic] [A=440 Hz]'],
])('makes %j plain', (html, text) => {
  expect(textOfHtml(html)).toBe(text)
})

test('reads a megabyte of tags without getting stuck', () => {
  for (const part of ['<p>', '<', '<!--', '<script>', '&#1', '<li>a', '</'])
    expect(textOfHtml(part.repeat(1_000_000 / part.length)).length).toBeLessThan(2_000_000)
})

test('makes a name plain, in one line', () => {
  expect(['Bow &amp; Rosin', 'Rock &lt; Roll<br>Set', 'Pick <3 mm', 'Two  spaces'].map(lineOfHtml)).toEqual([
    ...['Bow & Rosin', 'Rock < Roll Set', 'Pick <3 mm', 'Two  spaces'],
  ])
})

test('reads long texts in brackets without getting stuck', () => {
  for (const part of ['[a', '[a ', '[a b=', '[/a', '[a b= ', '&amp'])
    expect(textOfHtml(part.repeat(500_000 / part.length)).length).toBeLessThan(1_000_000)
})
