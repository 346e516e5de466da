import { readConfig } from '../../config.server'
import { accepts, compress, isCompressible } from '../brotli.server'
import { edgeCache } from '../edge.server'
import type { Access, Extra, Platform } from '../extra'
import type { CachedResponse, Variant } from '../responses.server'
import {
  compressWith,
  Dictionaries,
  dictionaryOf,
  makeDictionary,
  offeredDictionary,
  type Dictionary,
} from './dictionary.server'

const path = '/dictionary'
/** Where most visits begin, and what they come to. */
const pages = ['/home', '/allInstruments']

/** A browser that has some pages of the shop gets the next one as the difference (decision 24). */
export const dictionary: Extra = {
  headers: { link: `<${path}>; rel="compression-dictionary"` },
  // Chromium alone says this. Firefox 153 fetches a dictionary, and never uses it.
  isFor: ({ headers }) => headers.has('sec-ch-ua'),
  vary: 'Available-Dictionary',
  serve: (request, access) => (isDictionary(request) ? serveDictionary(request, access) : null),
  async encoderFor(request, platform) {
    const found = await findDictionary(request, platform)
    return found && ((cached) => variantOf(cached, found))
  },
}

function isDictionary({ url }: Request): boolean {
  return /^\w+:\/\/[^/]+\/dictionary$/.test(url)
}

/** The pages as anybody gets them: nothing personal is in a dictionary. */
async function serveDictionary(request: Request, { platform, serve }: Access): Promise<Response> {
  const dictionaries = dictionariesOf(platform.env)
  let dictionary = dictionaries.current(Date.now())
  if (!dictionary) {
    const { origin } = new URL(request.url)
    const ask = (path: string) => new Request(origin + path, { headers: { accept: 'text/html' } })
    const responses = await Promise.all(pages.map((path) => serve(ask(path))))
    const failure = responses.find(({ status }) => status !== 200)
    if (failure) return failure
    if (responses.some(({ headers }) => headers.has('warning'))) return new Response(null, { status: 503 })
    dictionary = await makeDictionary(await Promise.all(responses.map((response) => response.text())))
    dictionaries.replace(dictionary, Date.now())
    platform.ctx.waitUntil(storeDictionary(dictionary, platform))
  }
  const packed = accepts('br', request)
  const headers = new Headers({
    'content-type': 'application/octet-stream',
    'cache-control': 'public, max-age=86400',
    // "": the service worker asks for a page by `fetch`.
    'use-as-dictionary': 'match="/*", match-dest=("document" "")',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
  if (packed) headers.set('content-encoding', 'br')
  const body = packed ? (dictionary.packed ??= compress(dictionary.bytes.buffer)) : dictionary.bytes
  return new Response(request.method === 'HEAD' ? null : body, { headers, encodeBody: 'manual' })
}

/** Of the bodies of pages, with the dictionary of the last visitor who had one. `body` null: it could not be compressed. */
const compressed = new WeakMap<ArrayBuffer, { hash: string; body: ArrayBuffer | null }>()

async function variantOf(cached: CachedResponse, dictionary: Dictionary): Promise<Variant | null> {
  if (!isCompressible(cached)) return null
  const { hash } = dictionary
  let made = compressed.get(cached.body)
  if (made?.hash !== hash) {
    made = { hash, body: await compressWith(dictionary, cached.body) }
    compressed.set(cached.body, made)
  }
  const { body } = made
  if (!body) return null
  const etag = cached.etag.replace(/"$/, `-${hash.slice(0, 8)}"`)
  const headers = new Headers(cached.headers)
  headers.set('content-encoding', 'dcb')
  headers.set('etag', etag)
  // The browser has the dictionary.
  headers.delete('link')
  return { etag, headers, body: () => body }
}

async function findDictionary(request: Request, platform: Platform): Promise<Dictionary | null> {
  const hash = accepts('dcb', request) ? offeredDictionary(request) : null
  if (hash === null) return null
  const dictionaries = dictionariesOf(platform.env)
  const known = dictionaries.get(hash)
  if (known) return known
  const response = await edgeCache()?.match(dictionaryUrl(platform, hash))
  if (!response) return null
  const dictionary = await dictionaryOf(new Uint8Array(await response.arrayBuffer()))
  dictionaries.add(dictionary)
  return dictionary
}

/** For two days: a browser may have it for one after an hour. */
async function storeDictionary({ bytes, hash }: Dictionary, platform: Platform): Promise<void> {
  const response = new Response(bytes, { headers: { 'cache-control': 'public, max-age=172800' } })
  await edgeCache()?.put(dictionaryUrl(platform, hash), response)
}

/** Without the version: a new build compresses with the dictionaries of the last. */
function dictionaryUrl({ env }: Platform, hash: string): string {
  return `${readConfig(env).SHOP_ORIGIN}/__cache/dictionary/${encodeURIComponent(hash)}`
}

const allDictionaries = new WeakMap<object, Dictionaries>()

function dictionariesOf(env: object): Dictionaries {
  const existing = allDictionaries.get(env)
  if (existing) return existing
  const dictionaries = new Dictionaries()
  allDictionaries.set(env, dictionaries)
  return dictionaries
}
