import type { FetchPicture } from '../store/deps'
import { maxPictureBytes } from '../store/shared/limits'

const timeout = 3000
const maxRedirects = 3

/**
 * Whether an address answers with an image within three seconds. It is what an admin typed: only https to public host
 * names, each redirect checked again, no body read. `hostsUrl`: a fake of all hosts.
 */
export function imageChecker(hostsUrl: string | undefined): (address: string) => Promise<boolean> {
  return async (address) => {
    try {
      const response = await fetchImage(address, hostsUrl, AbortSignal.timeout(timeout))
      await response.body?.cancel()
      return true
    } catch {
      return false
    }
  }
}

/** Milliseconds, for a whole picture. */
const longestFetch = 8000

/** What is wrong with a picture, in words for the shopkeeper. */
class PictureProblem extends Error {}

/**
 * Fetches the beginning of a picture from an address of a file, under the rules of `imageChecker`, and looks at its first bytes. Null: it is
 * a picture; else what is wrong. Never throws.
 */
export function pictureInspector(hostsUrl: string | undefined): (address: string) => Promise<string | null> {
  return async (address) => {
    try {
      const response = await fetchImage(address, hostsUrl, AbortSignal.timeout(timeout))
      if (await isAnnouncedTooLarge(response)) return tooLarge
      return isPicture(await readHead(response)) ? null : 'The address does not answer with a picture.'
    } catch (error) {
      return problemOf(error, 'three')
    }
  }
}

/**
 * Fetches a whole picture from an address of a file, under the rules of `imageChecker`: at most 10 MB within eight seconds, whatever its length is
 * said to be. What it is, its reader must find out. Never throws.
 */
export function pictureFetcher(hostsUrl: string | undefined): FetchPicture {
  return async (address) => {
    try {
      const response = await fetchImage(address, hostsUrl, AbortSignal.timeout(longestFetch))
      const picture = (await isAnnouncedTooLarge(response)) ? null : await readWhole(response)
      return picture ? { file: new File([picture], 'picture') } : { problem: tooLarge }
    } catch (error) {
      return { problem: problemOf(error, 'eight') }
    }
  }
}

const tooLarge = `The picture is larger than ${maxPictureBytes / 1024 / 1024} MB.`

async function isAnnouncedTooLarge({ headers, body }: Response): Promise<boolean> {
  const isTooLarge = Number(headers.get('content-length') ?? 0) > maxPictureBytes
  if (isTooLarge) await body?.cancel()
  return isTooLarge
}

function problemOf(error: unknown, seconds: string): string {
  if (error instanceof PictureProblem) return error.message
  const isSlow = error instanceof Error && error.name === 'TimeoutError'
  return isSlow
    ? `The picture did not come within ${seconds} seconds.`
    : 'The address of the picture cannot be reached.'
}

async function fetchImage(address: string, hostsUrl: string | undefined, signal: AbortSignal): Promise<Response> {
  let url = URL.canParse(address) ? new URL(address) : null
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (!url || !isPublic(url))
      throw new PictureProblem('The address of a picture must begin with https:// and a public host name.')
    const target = hostsUrl ? `${hostsUrl}/image-hosts/${url.host}${url.pathname}${url.search}` : url
    const response = await fetch(target, { headers: { accept: 'image/*' }, redirect: 'manual', signal })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) {
      if (response.ok && /^image\//i.test(response.headers.get('content-type') ?? '')) return response
      await response.body?.cancel()
      throw new PictureProblem('The address does not answer with a picture.')
    }
    await response.body?.cancel()
    url = URL.canParse(location, url) ? new URL(location, url) : null
  }
  throw new PictureProblem(`The address leads from one to the next more than ${maxRedirects} times.`)
}

const headLength = 64

/** The rest is not read, however long it is. */
async function readHead(response: Response): Promise<string> {
  let head = ''
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  while (head.length < headLength) {
    const { value, done } = await reader.read()
    if (done) break
    head += String.fromCharCode(...value.subarray(0, headLength))
  }
  await reader.cancel().catch(() => undefined)
  return head
}

/** Null if it is too large: whatever it says of itself, no more is read. */
async function readWhole(response: Response): Promise<Blob | null> {
  const reader = response.body!.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.byteLength
    if (size > maxPictureBytes) {
      await reader.cancel().catch(() => undefined)
      return null
    }
    chunks.push(chunk.value)
  }
  return new Blob(chunks)
}

/** JPEG, PNG, GIF, WebP, AVIF; an SVG is a program. */
function isPicture(head: string): boolean {
  return [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^GIF8/, /^RIFF[^]{4}WEBP/, /^[^]{4}ftyp[^]{0,56}avi[fs]/].some((each) =>
    each.test(head),
  )
}

/** No IP address, no name of a private network, no other port, no user or password. `URL` has normalized 0x7f.1 and the like. */
export function isPublic({ protocol, port, username, password, hostname }: URL): boolean {
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(hostname)
  const isPrivate = /\.(localhost|local|internal|lan|home|corp|home\.arpa)$/.test(hostname)
  return protocol === 'https:' && port + username + password === '' && isName && !isPrivate
}
