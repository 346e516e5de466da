import { brotliCompressSync, brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib'

/*
 * Compression with a dictionary (RFC 9842, decision 24): the browser has some public pages of the shop, and the next one
 * arrives as the difference.
 */

export interface Dictionary {
  bytes: Uint8Array<ArrayBuffer>
  /** SHA-256 in base64. */
  hash: string
  /** What the encoder writes for it alone. */
  compressed: Buffer
  /** For its own response. */
  packed?: ArrayBuffer
}

/** What one meta-block can hold, see `uncompressed`. */
const maxBytes = 64 * 1024
/** Of 64 kB each. */
const maxEntries = 16
/** In milliseconds. A dictionary may be older than the shop: the difference is larger then. */
const maxAge = 60 * 60_000

const params = {
  // 9 takes ten times as long for 2 % less.
  [constants.BROTLI_PARAM_QUALITY]: 5,
  // Holds the dictionary and a page.
  [constants.BROTLI_PARAM_LGWIN]: 18,
}
const flushed = { params, finishFlush: constants.BROTLI_OPERATION_FLUSH }

/** RFC 9842, section 4 */
const magic = Buffer.from([0xff, 0x44, 0x43, 0x42])

/**
 * Leaves the encoder as every decoder begins (RFC 7932, section 4): the last four distances are 16, 15, 11 and 4, and the
 * last two bytes are zeros, which no page has, so that no match goes on from the dictionary into the page.
 */
const ending = Buffer.concat(
  [16, 15, 11, 4].map((distance, index) => repetition(0x80 + 16 * index, distance)).concat(Buffer.alloc(2)),
)

/** No UTF-8 text has four such bytes in a row. */
function repetition(first: number, distance: number): Buffer {
  const bytes = Buffer.from(Array.from({ length: distance }, (_, index) => first + index))
  return Buffer.concat([bytes, bytes, bytes])
}

/** Each page has the styles: once is enough. */
export async function makeDictionary([first = '', ...others]: string[]): Promise<Dictionary> {
  const text = Buffer.from(first + others.map((page) => page.replace(/<style>[^]*?<\/style>/, '')).join(''))
  return dictionaryOf(new Uint8Array(Buffer.concat([text.subarray(0, maxBytes - ending.length), ending])))
}

export async function dictionaryOf(bytes: Uint8Array<ArrayBuffer>): Promise<Dictionary> {
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64')
  return { bytes, hash, compressed: brotliCompressSync(bytes, flushed) }
}

/** Those of this isolate. Browsers also have older ones, and those of other isolates. */
export class Dictionaries {
  private readonly known = new Map<string, Dictionary>()
  private latest: { dictionary: Dictionary; madeAt: number } | null = null

  get(hash: string): Dictionary | undefined {
    return this.known.get(hash)
  }

  add(dictionary: Dictionary): void {
    if (this.known.size >= maxEntries) this.known.delete(this.known.keys().next().value!)
    this.known.set(dictionary.hash, dictionary)
  }

  current(now: number): Dictionary | null {
    return this.latest && now - this.latest.madeAt < maxAge ? this.latest.dictionary : null
  }

  replace(dictionary: Dictionary, now: number): void {
    this.add(dictionary)
    this.latest = { dictionary, madeAt: now }
  }
}

/** The hash that the browser offers. */
export function offeredDictionary({ headers }: Request): string | null {
  return /^:([\w+/]{43}=):$/.exec(headers.get('available-dictionary') ?? '')?.[1] ?? null
}

/**
 * zlib takes no dictionary for Brotli. So it compresses the dictionary, is flushed, and compresses the body: what follows
 * the flush refers to the dictionary by distance, as RFC 9842 wants it. Null if that does not stand alone: it may also
 * refer to the last distances before the flush, which a decoder does not know.
 */
export async function compressWith(dictionary: Dictionary, body: ArrayBuffer): Promise<ArrayBuffer | null> {
  const { bytes, hash, compressed } = dictionary
  const whole = await compressAfter(bytes, body)
  if (!whole.subarray(0, compressed.length).equals(compressed)) return null
  const start = brotliCompressSync(Buffer.alloc(0), flushed)
  const rest = whole.subarray(compressed.length)
  const decoded = decode(Buffer.concat([start, uncompressed(bytes), rest]))
  if (!decoded?.equals(Buffer.concat([bytes, new Uint8Array(body)]))) return null
  return new Uint8Array(Buffer.concat([magic, Buffer.from(hash, 'base64'), start, rest])).buffer
}

async function compressAfter(dictionary: Uint8Array, body: ArrayBuffer): Promise<Buffer> {
  const stream = createBrotliCompress({ params })
  stream.write(dictionary)
  stream.flush(constants.BROTLI_OPERATION_FLUSH)
  stream.end(new Uint8Array(body))
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function decode(stream: Uint8Array): Buffer | null {
  try {
    return brotliDecompressSync(stream)
  } catch {
    return null
  }
}

/** A meta-block that leaves a decoder as it began, but for the bytes (RFC 7932, section 9.2). */
function uncompressed(bytes: Uint8Array): Buffer {
  const header = Buffer.alloc(3)
  header.writeUIntLE(((bytes.length - 1) << 3) | (1 << 19), 0, 3)
  return Buffer.concat([header, bytes])
}
