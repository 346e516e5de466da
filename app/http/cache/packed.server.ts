import { createHash, type Hash } from 'node:crypto'
import { accepts } from './brotli.server'
import { tagOf } from './etag.server'
import { streamOf } from '../formats/stream.server'
import { readThrottle } from '../request/read-throttle.server'

/*
 * What is above one page: a feed of 10,000 instruments has 6 MB, with gzip a tenth. It is held packed, and unpacked in parts for the few
 * that do not take gzip.
 */

/** In bytes. */
const largest = { plain: 512 * 1024, packed: 8 * 1024 * 1024 }
/** In bytes, unpacked: reserves as much time as this many rows. */
const part = { bytes: 256 * 1024, rows: 100 }

export interface ReadBody {
  body: ArrayBuffer
  isPacked: boolean
  /** Of what was read. */
  etag: string
}

/** Reads a body to its end. Null if it is too large even when it is packed. Throws what the body throws. */
export async function readBody(stream: ReadableStream<Uint8Array> | null): Promise<ReadBody | null> {
  const hash = createHash('sha256')
  const chunks: Uint8Array[] = []
  let bytes = 0
  const source = chunksOf(stream, hash)
  for (let read = await source.next(); ; read = await source.next()) {
    if (read.done) return { body: concat(chunks, bytes), isPacked: false, etag: tagOf(hash.digest()) }
    chunks.push(read.value)
    bytes += read.value.byteLength
    if (bytes > largest.plain) break
  }
  async function* all() {
    yield* chunks.splice(0)
    yield* source
  }
  const packed: Uint8Array[] = []
  bytes = 0
  const zipped = streamOf(all()).pipeThrough(new CompressionStream('gzip') as TransformStream<Uint8Array, Uint8Array>)
  for await (const chunk of chunksOf(zipped)) {
    packed.push(chunk)
    bytes += chunk.byteLength
    // Ends the stream, and with it the reading of the list.
    if (bytes > largest.packed) return null
  }
  return { body: concat(packed, bytes), isPacked: true, etag: tagOf(hash.digest()) }
}

/** Ends the stream when nobody reads on. */
async function* chunksOf(stream: ReadableStream<Uint8Array> | null, hash?: Hash): AsyncGenerator<Uint8Array, void> {
  const reader = stream?.getReader()
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      hash?.update(read.value)
      yield read.value
    }
  } finally {
    await reader?.cancel()
  }
}

function concat(chunks: Uint8Array[], bytes: number): ArrayBuffer {
  const all = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all.buffer
}

/** A packed body for this visitor. `encoding` null: unpacked. */
export function unpackFor(request: Request, body: ArrayBuffer): { encoding: 'gzip' | null; body: () => BodyInit } {
  if (accepts('gzip', request)) return { encoding: 'gzip', body: () => body }
  return { encoding: null, body: () => streamOf(unpack(body)) }
}

async function* unpack(body: ArrayBuffer): AsyncGenerator<Uint8Array, void> {
  let bytes = 0
  const plain = new Response(body).body!.pipeThrough(new DecompressionStream('gzip'))
  for await (const chunk of chunksOf(plain)) {
    bytes += chunk.byteLength
    if (bytes > part.bytes) {
      bytes = 0
      await readThrottle.take(part.rows)
    }
    yield chunk
  }
}
