/** A file of an archive, in parts. */
export interface ZipEntry {
  name: string
  content: AsyncIterable<string | Uint8Array>
}

/** Of an archive without ZIP64. */
const maxBytes = 0xffff_ffff

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/**
 * A ZIP archive (PKWARE APPNOTE 6.3), written while it is read: nothing is compressed, and the size of each file follows it. Throws when the
 * archive would be larger than 4 GB.
 */
export async function* zip(entries: AsyncIterable<ZipEntry>, at: number): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  const directory: Uint8Array[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const path = encoder.encode(name)
    const start = offset
    // Sizes and checksum follow, and the name is UTF-8.
    const common = [20, 0x0808, 0, ...dosTime(at)]
    const head = joined(
      fields(
        [4, 0x04034b50],
        ...common.map((value) => two(value)),
        four(0),
        four(0),
        four(0),
        two(path.length),
        two(0),
      ),
      path,
    )
    yield head
    let [crc, size] = [0xffffffff, 0]
    for await (const part of content) {
      const bytes = typeof part === 'string' ? encoder.encode(part) : part
      for (const byte of bytes) crc = table[(crc ^ byte) & 255]! ^ (crc >>> 8)
      size += bytes.length
      if (offset + size > maxBytes) throw new Error('The archive would be larger than 4 GB.')
      yield bytes
    }
    const sums = [four(~crc >>> 0), four(size), four(size)]
    yield fields([4, 0x08074b50], ...sums)
    offset += head.length + size + 16
    const more = [two(path.length), two(0), two(0), two(0), two(0), four(0), four(start)]
    directory.push(
      joined(fields([4, 0x02014b50], two(20), ...common.map((value) => two(value)), ...sums, ...more), path),
    )
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  for (const each of directory) yield each
  const count = directory.length
  yield fields([4, 0x06054b50], two(0), two(0), two(count), two(count), four(size), four(offset), two(0))
}

type Field = [bytes: 2 | 4, value: number]
const two = (value: number): Field => [2, value]
const four = (value: number): Field => [4, value]

function fields(...list: Field[]): Uint8Array {
  const bytes = new Uint8Array(list.reduce((sum, [length]) => sum + length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [length, value] of list) {
    if (length === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += length
  }
  return bytes
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

/** UTC, in steps of two seconds. */
function dosTime(at: number): [time: number, day: number] {
  const date = new Date(at)
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return [time, ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()]
}
