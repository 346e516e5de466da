import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { parse } from 'node-html-parser'

/** In bytes, of a page with a form (decision 23); Stripe's own scripts come on top. */
export const maxScripts = { form: 85_000, payment: 91_500 }

export interface Weight {
  html: number
  stylesheet: number
  scripts: number
  pictures: number
  requests: number
}

const [edgeQuality, maxQuality] = [4, 11]

export function brotli(bytes: Buffer | string, quality = edgeQuality): number {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length
}

export function weigh(html: string, visible = Infinity): Weight {
  const page = parse(html)
  const scripts = new Set(
    page
      .querySelectorAll('link[rel=modulepreload], script[src]')
      .map((element) => element.getAttribute('href') ?? element.getAttribute('src')!),
  )
  for (const [, path] of html.matchAll(/import(?:\(| [^"']*from )?\s*["'](\/assets\/[^"']+\.js)["']/g))
    scripts.add(path!)
  const images = page.querySelectorAll('img').map((image) => ({
    path: image.getAttribute('src')!,
    lazy: image.getAttribute('loading') === 'lazy',
  }))
  const loaded = new Set([
    ...images.filter(({ lazy }) => !lazy).map(({ path }) => path),
    ...images
      .filter(({ lazy }) => lazy)
      .slice(0, visible)
      .map(({ path }) => path),
  ])
  const own = [...loaded].filter((path) => path.startsWith('/'))
  return {
    html: brotli(html),
    stylesheet: brotli(page.querySelector('style')?.textContent ?? ''),
    scripts: sum([...scripts].filter((path) => path.startsWith('/')).map((path) => brotli(fileOf(path), maxQuality))),
    pictures: sum(own.map((path) => brotli(fileOf(path)))),
    requests: 1 + scripts.size + own.length,
  }
}

function fileOf(path: string): Buffer {
  return readFileSync(`build/client${path}`)
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
