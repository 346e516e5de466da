import { paper } from '../catalog/pictures/pictures.server'
import { maxLogoElements, maxLogoNesting } from '../shared/limits'
import { parseXml, XmlProblem, type XmlElement } from './parse-xml.server'

/** What is in the way of an SVG, in words for the shopkeeper. */
export class SvgProblem extends Error {}

const has = (what: string) =>
  new SvgProblem(`The SVG has ${what}, which a logo cannot have here. Save it as plain SVG without, or as PNG.`)

export interface CleanSvg {
  text: string
  /** In pixels, of the same shape as the drawing; the longer one is 1,000. */
  width: number
  height: number
}

const drawn = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'use']
const grouped = ['svg', 'g', 'defs', 'symbol', 'clipPath', 'mask', 'linearGradient', 'radialGradient', 'stop']
const worded = ['title', 'desc', 'style', 'text', 'tspan']
const elements = new Set([...drawn, ...grouped, ...worded])

/** What may also stand in a style. */
const properties = new Set([
  ...['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-linecap'],
  ...['stroke-linejoin', 'stroke-miterlimit', 'stroke-dasharray', 'stroke-dashoffset', 'color', 'opacity'],
  ...['stop-color', 'stop-opacity', 'clip-path', 'clip-rule', 'mask', 'display', 'visibility', 'paint-order'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'letter-spacing', 'word-spacing', 'text-anchor'],
  ...['dominant-baseline', 'mix-blend-mode', 'isolation', 'vector-effect', 'mask-type', 'transform'],
])
const attributes = new Set([
  ...['id', 'class', 'viewBox', 'preserveAspectRatio', 'x', 'y', 'dx', 'dy', 'width', 'height', 'd', 'points'],
  ...['x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'fr', 'offset', 'pathLength', 'rotate'],
  ...['gradientTransform', 'gradientUnits', 'spreadMethod', 'clipPathUnits', 'maskUnits', 'maskContentUnits'],
  ...['textLength', 'lengthAdjust'],
])

/** As many times as high: it still fits beside the menu of a phone. */
const widest = 8

const functions = ['matrix', 'translate', 'scale', 'rotate', 'skewX', 'skewY', 'rgb', 'rgba', 'hsl', 'hsla']

/**
 * An SVG without anything that runs or is elsewhere, written anew from what is known. The notes of drawing programs are left out. Throws
 * `SvgProblem` for all else that it does not know: what a drawing would lose is better named.
 */
export function cleanSvg(svg: string): CleanSvg {
  const root = parse(svg)
  if (root.name !== 'svg') throw has(`<${root.name}> where <svg> must stand`)
  const styles = new Map<string, string[]>()
  const size = sizeOf(root)
  const counted = { elements: 0 }
  const text = write(root, { styles, counted, depth: 1, more: size.attributes })
  countDrawn(root, styles)
  return { text, width: size.width, height: size.height }
}

function parse(svg: string): XmlElement {
  if (/<!(DOCTYPE|ENTITY)/i.test(svg)) throw has('a DOCTYPE')
  try {
    return parseXml(svg.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error
    throw new SvgProblem(`The SVG is damaged in line ${error.line}: ${error.message}. Save it again, or as PNG.`)
  }
}

/** Scaled, because the address of the file has whole numbers. */
function sizeOf({ attributes }: XmlElement) {
  const [, , ...box] = (attributes.viewBox ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const [width = 0, height = 0] =
    box.length === 2 ? box : [attributes.width, attributes.height].map((side = '') => parseFloat(side))
  const longest = Math.max(width, height)
  if (!(width > 0 && height > 0 && longest < Infinity))
    throw new SvgProblem('The SVG has no size. Save it with a viewBox, or as PNG.')
  if (longest > widest * Math.min(width, height))
    throw new SvgProblem(`One side of the SVG is more than ${widest} times the other. Cut it, or save it as PNG.`)
  const scaled = (side: number) => Math.max(1, Math.round((side / longest) * 1000))
  const size = { width: scaled(width), height: scaled(height) }
  return {
    ...size,
    attributes: {
      xmlns: 'http://www.w3.org/2000/svg',
      style: `background:${paper};${checkDeclarations(attributes.style ?? '')}`,
      viewBox: attributes.viewBox ?? `0 0 ${width} ${height}`,
      ...{ width: String(size.width), height: String(size.height) },
    },
  }
}

interface Writing {
  /** What the rules of style elements refer to, by selector. */
  styles: Map<string, string[]>
  counted: { elements: number }
  depth: number
  more?: Record<string, string>
}

function write(element: XmlElement, { more, ...writing }: Writing): string {
  const { name } = element
  if (!elements.has(name)) throw has(`the element <${name.slice(0, 40)}>`)
  if (++writing.counted.elements > maxLogoElements) throw has(`more than ${maxLogoElements} elements`)
  if (writing.depth > maxLogoNesting) throw has(`more than ${maxLogoNesting} elements in each other`)
  const kept = Object.entries({ ...more, ...attributesOf(element), ...more })
  const content = name === 'style' ? escape(checkRules(textOf(element), writing.styles)) : contentOf(element, writing)
  return `<${name}${kept.map(([key, value]) => ` ${key}="${escape(value)}"`).join('')}>${content}</${name}>`
}

function contentOf({ name, children }: XmlElement, writing: Writing): string {
  const contents = children.map((child) => {
    if (typeof child === 'string') return worded.includes(name) ? escape(child) : ''
    return isNote(child.name) ? '' : write(child, { ...writing, depth: writing.depth + 1 })
  })
  return contents.join('')
}

/** Of a drawing program, such as `sodipodi:namedview`. */
function isNote(name: string): boolean {
  return name.includes(':') || name === 'metadata'
}

function attributesOf({ name, attributes: all }: XmlElement): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [key, value] of Object.entries(all)) {
    if (/^on/i.test(key)) throw has(`the event attribute ${key.slice(0, 40)}`)
    if (/(^|:)href$/i.test(key)) {
      if (!/^#[\p{L}\p{N}_:.-]+$/u.test(value)) throw elsewhere(value)
      kept.href = value
    } else if (key === 'style') kept.style = checkDeclarations(value)
    else if (attributes.has(key) || properties.has(key)) {
      if (key !== 'id' && key !== 'class') checkValue(value)
      kept[key] = value
    }
  }
  return name === 'style' ? {} : kept
}

const elsewhere = (address: string) => has(`a reference to another file (${address.slice(0, 60)})`)

/** Colors, numbers, names, and what is in the same file: nothing that another program reads as an instruction. */
function checkValue(value: string): void {
  const plain = value.replace(/url\(\s*(["']?)#[\p{L}\p{N}_:.-]+\1\s*\)/gu, '')
  for (const [, called = '', first = ''] of plain.matchAll(/([\w-]*)\s*\(\s*([^)]*)/g)) {
    if (called.toLowerCase() === 'url') throw elsewhere(first)
    if (called !== '' && !functions.includes(called)) throw has(`the function ${called.slice(0, 40)}()`)
  }
  const [odd] = /[^\p{L}\p{N}\s_.,#%+'"()!/-]/u.exec(plain) ?? []
  if (odd !== undefined) throw has(`the character ${odd} in ${value.trim().slice(0, 60)}`)
}

/** Without the properties that are not known, and without comments. */
function checkDeclarations(text: string): string {
  const declarations = withoutComments(text)
  const kept = declarations.split(';').flatMap((declaration) => {
    const [property = '', ...value] = declaration.split(':')
    checkValue(value.join(':'))
    return properties.has(property.trim()) ? [`${property.trim()}:${value.join(':').trim()}`] : []
  })
  return kept.join(';')
}

/** Rules for elements, classes and ids, as drawing programs write them. */
function checkRules(text: string, styles: Map<string, string[]>): string {
  const rules = withoutComments(text).split('}')
  if (rules.pop()!.trim() !== '') throw has('a style without an end')
  const written = rules.map((rule) => {
    const [head = '', body, ...more] = rule.split('{')
    const selectors = head.split(',').map((selector) => selector.trim())
    const odd = selectors.find((selector) => !/^[.#]?[\p{L}\p{N}_-]+$/u.test(selector))
    if (odd !== undefined || body === undefined || more.length > 0)
      throw has(`the style ${(odd ?? head).trim().slice(0, 40) || '{'}`)
    const declarations = checkDeclarations(body)
    for (const selector of selectors)
      styles.set(selector, [...(styles.get(selector) ?? []), ...referencesIn(declarations)])
    return `${selectors.join(',')}{${declarations}}`
  })
  return written.join('')
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\//g, '')
}

function referencesIn(text: string): string[] {
  return Array.from(text.matchAll(/url\(\s*["']?#([^"')\s]+)/g), ([, id]) => id!)
}

/** Refuses what draws itself, or more than so many elements: a few lines that use each other would keep a browser busy for hours. */
function countDrawn(root: XmlElement, styles: Map<string, string[]>): void {
  const byId = new Map<string, XmlElement>()
  collect(root)
  const counts = new Map<XmlElement, number | 'open'>()
  if (countOf(root) > maxLogoElements) throw has(`more than ${maxLogoElements} elements, each as often as used`)

  function collect(element: XmlElement): void {
    const { id } = element.attributes
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
    for (const child of elementsIn(element)) collect(child)
  }
  function countOf(element: XmlElement): number {
    const known = counts.get(element)
    if (known === 'open') throw has(`an element that refers to itself (#${element.attributes.id})`)
    if (known !== undefined) return known
    counts.set(element, 'open')
    const used = referencesOf(element).flatMap((id) => byId.get(id) ?? [])
    const count = [...elementsIn(element), ...used].reduce((sum, each) => sum + countOf(each), 1)
    counts.set(element, count)
    return count
  }
  function referencesOf({ name, attributes }: XmlElement): string[] {
    const { id, class: classes = '', href = attributes['xlink:href'] } = attributes
    const selectors = [name, `#${id}`, ...classes.split(/\s+/).map((each) => `.${each}`)]
    return [
      ...(href === undefined ? [] : [href.slice(1)]),
      ...Object.values(attributes).flatMap(referencesIn),
      ...selectors.flatMap((selector) => styles.get(selector) ?? []),
    ]
  }
}

function textOf({ children }: XmlElement): string {
  return children.filter((child) => typeof child === 'string').join('')
}

function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string')
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
