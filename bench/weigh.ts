import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { parse } from 'node-html-parser'

/** What a page sends, in bytes after brotli. */
export interface Weight {
  /** HTML with its stylesheet, at the quality that the edge has time for. */
  html: number
  stylesheet: number
  scripts: number
  /** Pictures that are fetched without scrolling, and how many. */
  pictures: number
  /** Requests, the page's own included. */
  requests: number
}

/** The quality that an edge spends on an answer made on the spot; hashed files have time for the best. */
const [onTheSpot, best] = [4, 11]

export function brotli(bytes: Buffer | string, quality = onTheSpot): number {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length
}

/** Weighs a page of the built shop: `visible` is how many of the lazy pictures stand on the first screens as well. */
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
  const shown = new Set([
    ...images.filter(({ lazy }) => !lazy).map(({ path }) => path),
    ...images
      .filter(({ lazy }) => lazy)
      .slice(0, visible)
      .map(({ path }) => path),
  ])
  const own = [...shown].filter((path) => path.startsWith('/'))
  return {
    html: brotli(html),
    stylesheet: brotli(page.querySelector('style')?.textContent ?? ''),
    scripts: sum([...scripts].filter((path) => path.startsWith('/')).map((path) => brotli(fileOf(path), best))),
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
