import { expect, test } from 'vitest'
import { cleanSvg } from './clean-svg.server'

const svg = (content: string, attributes = 'viewBox="0 0 24 12"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`
const path = '<path d="M0 0h24v12z"/>'

test('writes a drawing anew, without the notes of the program that made it', () => {
  const inkscape = svg(
    `<!-- Made here --><?xml-stylesheet href="https://evil.example/a.css"?><sodipodi:namedview id="n"/>
    <metadata><rdf:RDF/></metadata><title>Bow &amp; Reed</title>
    <style type="text/css"><![CDATA[ .st0, #a { fill: #0b5394; -x-font: 'Arial Bold' } /* two */ .st1{clip-path:url(#clip)} ]]></style>
    <defs><clipPath id="clip"><rect class="st0" width="24" height="12"/></clipPath>
      <linearGradient id="g"><stop offset="0" style="stop-color:rgb(10, 20, 30);behavior:none"/></linearGradient>
      <linearGradient id="h" xlink:href="#g" gradientTransform="matrix(1 0 0 1 0 0)"/></defs>
    <g inkscape:label="Layer" data-name="x" class="st1" enable-background="new"><path d="M0 0 h24z" fill="url(#h)"/>words</g>
    <text font-family="'Über Sans', serif">Hi <tspan>there</tspan></text><use href="#clip"/>`,
    'viewBox="0 0 24 12" version="1.1" width="9" style="fill:none;enable-background:new 0 0 24 12"',
  )
  const { text, width, height } = cleanSvg(`\uFEFF<?xml version="1.0" encoding="UTF-8"?>\r\n${inkscape}`)
  expect([width, height]).toEqual([1000, 500])
  expect(text.replace(/>\s+</g, '><')).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" style="background:#fbf7f0;fill:none" viewBox="0 0 24 12" width="1000" height="500"><title>Bow &#38; Reed</title>' +
      '<style>.st0,#a{fill:#0b5394}.st1{clip-path:url(#clip)}</style>' +
      '<defs><clipPath id="clip"><rect class="st0" width="24" height="12"></rect></clipPath>' +
      '<linearGradient id="g"><stop offset="0" style="stop-color:rgb(10, 20, 30)"></stop></linearGradient>' +
      '<linearGradient id="h" href="#g" gradientTransform="matrix(1 0 0 1 0 0)"></linearGradient></defs>' +
      '<g class="st1"><path d="M0 0 h24z" fill="url(#h)"></path></g>' +
      '<text font-family="\'Über Sans\', serif">Hi <tspan>there</tspan></text><use href="#clip"></use></svg>',
  )
  expect(cleanSvg(text).text).toBe(text)
})

test('takes the size of a drawing without a viewBox from its sides', () => {
  const { text, width, height } = cleanSvg(svg(path, 'width="30mm" height="120mm"'))
  expect([width, height]).toEqual([250, 1000])
  expect(text).toContain('viewBox="0 0 30 120"')
})

const deep = '<g>'.repeat(40) + '</g>'.repeat(40)
const laughs = Array.from({ length: 20 }, (_, nth) => `<g id="l${nth + 1}">${`<use href="#l${nth}"/>`.repeat(10)}</g>`)
const masks = Array.from({ length: 20 }, (_, nth) => {
  const each = `<rect class="c${nth}"/>`
  return `<style>.c${nth}{mask:url(#m${nth})}</style><mask id="m${nth + 1}">${each.repeat(10)}</mask>`
})

test.for([
  ['<script>alert(1)</script>', 'the element <script>'],
  ['<script xlink:href="https://evil.example/a.js"/>', 'the element <script>'],
  ['<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script><SCRIPT/>', 'the element <SCRIPT>'],
  ['<path onload="alert(1)" d="M0 0"/>', 'the event attribute onload'],
  ['<g oNClick="alert(1)"/>', 'the event attribute oNClick'],
  ['<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>', 'the element <foreignObject>'],
  ['<g xmlns="http://www.w3.org/1999/xhtml"><iframe src="https://evil.example"/></g>', 'the element <iframe>'],
  ['<a href="javascript:alert(1)">x</a>', 'the element <a>'],
  ['<image href="https://evil.example/a.png"/>', 'the element <image>'],
  ['<use href="https://evil.example/a.svg#x"/>', 'a reference to another file (https://evil.example/a.svg#x)'],
  [
    '<use xlink:href="data:image/svg+xml;base64,AAAA#x"/>',
    'a reference to another file (data:image/svg+xml;base64,AAAA#x)',
  ],
  ['<use x:href="//evil.example/#x"/>', 'a reference to another file (//evil.example/#x)'],
  ['<use href=" #x"/>', 'a reference to another file ( #x)'],
  ['<path fill="url(https://evil.example/#a)"/>', 'a reference to another file (https://evil.example/#a)'],
  ['<path fill="URL( &quot;//evil.example&quot; )"/>', 'a reference to another file ("//evil.example" )'],
  ['<path style="fill:red;background:url(//evil.example/a)"/>', 'a reference to another file (//evil.example/a)'],
  ['<path style="fill:\\75rl(//evil.example)"/>', 'the function 75rl()'],
  ['<path fill="\\75rl"/>', 'the character \\ in \\75rl'],
  ['<path style="fill:image-set(\'//evil.example\' 1x)"/>', 'the function image-set()'],
  ['<path style="fill:expression(alert(1))"/>', 'the function expression()'],
  ['<style>@import "//evil.example/a.css";</style>', 'a style without an end'],
  ['<style>@import "//evil.example/a.css"; .a{}</style>', 'the style @import'],
  ['<style>@font-face{font-family:a;src:url(//evil.example)}</style>', 'the style @font-face'],
  ['<style>.a{fill:u/**/rl(//evil.example)}</style>', 'a reference to another file (//evil.example)'],
  ['<style>&lt;/style>&lt;script>alert(1)&lt;/script></style>', 'a style without an end'],
  ['<style>a:hover{fill:red}</style>', 'the style a:hover'],
  ['<style>.a{fill:red}}</style>', 'the style {'],
  ['<animate attributeName="href" to="javascript:alert(1)"/>', 'the element <animate>'],
  ['<set attributeName="onmouseover" to="alert(1)"/>', 'the element <set>'],
  ['<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">alert(1)</handler>', 'the element <handler>'],
  ['<filter id="f"><feImage href="//evil.example"/></filter>', 'the element <filter>'],
  [deep, 'more than 30 elements in each other'],
  ['<g>'.repeat(15_000) + '</g>'.repeat(15_000), 'more than 30 elements in each other'],
  ['<g/>'.repeat(3001), 'more than 3000 elements'],
  [`<g id="l0"/>${laughs.join('')}`, 'more than 3000 elements, each as often as used'],
  [masks.join(''), 'more than 3000 elements, each as often as used'],
  ['<g id="a"><use href="#a"/></g>', 'an element that refers to itself (#a)'],
] as const)('refuses a drawing with $1', ([content, what]) => {
  expect(() => cleanSvg(svg(content))).toThrow(`The SVG has ${what}`)
})

test.for([
  ['a class', '<style>.b{mask:url(#m)}</style><mask id="m"><rect class="a  b"/></mask>'],
  ['an id', `<style>#r{mask:url( "#m")}</style><mask id="m"><rect id="r"/></mask>`],
  ['an element', `<style>g,rect{mask:url('#m' )}</style><mask id="m"><rect/></mask>`],
  ['a second rule', '<style>rect{fill:url(#n)}rect{mask:url(#m)}</style><mask id="m"><rect/></mask>'],
  ['an attribute', '<mask id="m"><rect mask="url(#m)"/></mask>'],
  ['a style attribute', '<mask id="m"><rect style="mask:url(#m)"/></mask>'],
  ['a link of old', '<mask id="m"><use xlink:href="#m"/></mask>'],
] as const)('refuses a drawing that refers to itself by the rule of %s', ([, content]) => {
  expect(() => cleanSvg(svg(content))).toThrow('The SVG has an element that refers to itself (#m)')
})

test('takes as many elements, in each other and in all, as a logo may have, and the first of two with one id', () => {
  for (const content of [
    '<g/>'.repeat(2999),
    '<g>'.repeat(29) + '</g>'.repeat(29),
    '<g id="a"/><g id="a"><use href="#a"/></g>',
    // 1 + 1,499 + 1,500.
    `<g id="a">${'<g/>'.repeat(1498)}</g><use href="#a"/>`,
  ])
    expect(cleanSvg(svg(content)).width).toBe(1000)
  expect(() => cleanSvg(svg('<g>'.repeat(30) + '</g>'.repeat(30)))).toThrow('more than 30 elements in each other')
  expect(() => cleanSvg(svg(`<g id="a">${'<g/>'.repeat(1499)}</g><use href="#a"/>`))).toThrow('as often as used')
})

test('shows the beginning of a long name, value or address in the way', () => {
  const long = 'x'.repeat(99)
  for (const [content, what] of [
    [`<${long}/>`, `the element <${long.slice(59)}>`],
    [`<g on${long}=""/>`, `the event attribute on${long.slice(61)},`],
    [`<g fill="${long}(1)"/>`, `the function ${long.slice(59)}()`],
    [`<style>a.${long}{}</style>`, `the style a.${long.slice(61)},`],
    [`<use href="${long}"/>`, `a reference to another file (${long.slice(39)})`],
    [`<g fill=" \\${long} "/>`, `the character \\ in \\${long.slice(40)},`],
  ] as const)
    expect(() => cleanSvg(svg(content))).toThrow(`The SVG has ${what}`)
})

test('takes the size of a drawing from a viewBox of four numbers, whatever is between them, and else from its sides', () => {
  const sizeOf = (attributes: string) => {
    const { width, height } = cleanSvg(svg(path, attributes))
    return [width, height]
  }
  expect(sizeOf('viewBox=" 0,0 , 24,12 "')).toEqual([1000, 500])
  expect(sizeOf('viewBox="0 0 24" width="10" height="20"')).toEqual([500, 1000])
  expect(sizeOf('width="3" height="7"')).toEqual([429, 1000])
  for (const sides of ['width="10"', 'height="10"', 'width="-1" height="1"', 'width="a" height="1"'])
    expect(() => sizeOf(sides)).toThrow('The SVG has no size')
  // An id may have what a value may not.
  expect(cleanSvg(svg('<g id="a;b" class="c;d"/>')).text).toContain('<g id="a;b" class="c;d">')
})

test('refuses a drawing that would not fit beside the menu', () => {
  expect(() => cleanSvg(svg(path, 'viewBox="0 0 90 10"'))).toThrow('more than 8 times the other')
  expect(cleanSvg(svg(path, 'viewBox="0 0 80 10"')).height).toBe(125)
})

test.for([
  [`<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://evil.example/a.dtd">${svg(path)}`, 'has a DOCTYPE'],
  [`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`, 'has a DOCTYPE'],
  [svg('<text>&x;</text>'), 'is damaged in line 1: we do not know &x;'],
  [svg('\n<g>'), 'is damaged in line 2: </svg> closes nothing'],
  [svg('').replace('</svg>', ''), 'is damaged in line 1: <svg> is not closed'],
  [svg('</svg></svg>'), 'is damaged in line 1: </svg> closes nothing'],
  [`${svg('')}<svg/>`, 'is damaged in line 1: one element must have all others in it'],
  [`<!-- ${svg('')}`, 'is damaged in line 1: this cannot be read: <!-- <svg'],
  [svg('<text>&#0;</text>'), 'is damaged in line 1: we do not know &#0;'],
  [svg('<text>&#x110000;</text>'), 'is damaged in line 1: we do not know &#x110000;'],
  [svg('<text>A & B</text>'), 'is damaged in line 1: we do not know &'],
  [svg('<text>\u0008</text>'), 'is damaged in line 1: it has characters that no text has'],
  [svg('<path d="M0 0" d="M1 1"/>'), 'is damaged in line 1: an attribute is there twice'],
  [svg('<path d=M0/>'), 'is damaged in line 1: this cannot be read: <path d=M0/>'],
  ['<html><svg/></html>', 'has <html> where <svg> must stand'],
  ['<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>', 'has <svg:svg> where <svg> must stand'],
  [svg(path, ''), 'has no size'],
  [svg(path, 'viewBox="0 0 0 10"'), 'has no size'],
  [svg(path, 'viewBox="0 0 1e999 10"'), 'has no size'],
  [svg(path, 'onload="alert(1)" viewBox="0 0 1 1"'), 'has the event attribute onload'],
] as const)('refuses a file that $1', ([file, what]) => {
  expect(() => cleanSvg(file)).toThrow(`The SVG ${what}`)
})
