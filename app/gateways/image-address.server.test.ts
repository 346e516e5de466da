import { expect, test } from '../../tests/support/store'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, onTestFinished, vi } from 'vitest'
import { imageChecker, isPublic, pictureFetcher, pictureInspector } from './image-address.server'

afterEach(() => vi.unstubAllGlobals())

test('asks public hosts only, also after a redirect', async ({ shop }) => {
  const isImage = imageChecker(shop.sandbox.url)
  for (const address of [
    'https://pictures.example/a.gif',
    'https://moved.example/a.gif',
    'https://xn--bcher-kva.example/',
  ]) {
    expect([address, await isImage(address)]).toEqual([address, true])
  }
  for (const host of [
    ...['gone.example', 'page.example', 'inward.example', 'localhost', 'db.internal', 'printer.local', 'a.localhost'],
    ...['127.0.0.1', '10.1.2.3', '2130706433', '0x7f.1', '[::1]', '[::ffff:10.0.0.1]', 'user@pictures.example'],
    ...['pictures.example:22', 'pictures.example.'],
  ]) {
    expect([host, await isImage(`https://${host}/a.gif`)]).toEqual([host, false])
  }
  expect(await isImage('http://pictures.example/a.gif')).toBe(false)
  expect(await isImage('https://')).toBe(false)
})

test('says what is wrong with a picture of a file, and follows no way inward', async ({ shop }) => {
  const inspect = pictureInspector(shop.sandbox.url)
  expect(await inspect('https://pictures.example/a.gif')).toBeNull()
  expect(await inspect('https://moved.example/a.gif')).toBeNull()
  const inward = 'The address of a picture must begin with https:// and a public host name.'
  for (const [address, problem] of [
    ...['inward', 'private'].map((host) => [`https://${host}.example/a.gif`, inward] as const),
    ...[
      'https://10.0.0.1/a.gif',
      'https://localhost/a.gif',
      'http://169.254.169.254/',
      'javascript:alert(1)',
      'file:///etc/passwd',
      '',
      '::',
    ].map((address) => [address, inward] as const),
    ['https://gone.example/a.gif', 'The address does not answer with a picture.'],
    ['https://page.example/a.gif', 'The address does not answer with a picture.'],
    ['https://vector.example/a.svg', 'The address does not answer with a picture.'],
    ['https://huge.example/a.png', 'The picture is larger than 10 MB.'],
    ['https://round.example/a.png', 'The address leads from one to the next more than 3 times.'],
    ['https://silent.example/a.png', 'The picture did not come within three seconds.'],
  ] as const)
    expect([address, await inspect(address)]).toEqual([address, problem])
})

const webp = 'RIFF....WEBP'

test.for([
  ...['\xff\xd8\xff', '\x89PNG\r\n', 'GIF89a', webp, '....ftypavif', '....ftypmif1....avis'].map((head) => [
    head,
    true,
  ]),
  ...['\xff\xd8', '\x89PNG', 'GIF7', 'RIFF...WEBP', 'RIFF....WAVE', '....ftypheic', '<svg>', ''].map((head) => [
    head,
    false,
  ]),
] as [string, boolean][])('takes %j for the beginning of a picture: %s', async ([head, isPicture]) => {
  const answerWith = (text: string) =>
    vi.stubGlobal('fetch', () =>
      Promise.resolve(new Response(Buffer.from(text, 'latin1'), { headers: { 'content-type': 'IMAGE/x' } })),
    )
  const inspect = pictureInspector(undefined)
  answerWith(head)
  expect((await inspect('https://a.example/a')) === null).toBe(isPicture)
  answerWith(`.${head}`)
  expect(await inspect('https://a.example/a')).toBe('The address does not answer with a picture.')
})

test('fetches a whole picture, and says why there is none', async ({ shop }) => {
  const get = pictureFetcher(shop.sandbox.url)
  const found = await get('https://photos.example/a.png')
  expect('file' in found && [found.file.name, (await found.file.text()).slice(1, 4), found.file.size]).toEqual([
    'picture',
    'PNG',
    70,
  ])
  const tooLarge = { problem: 'The picture is larger than 10 MB.' }
  expect(await get('https://huge.example/a.png')).toEqual(tooLarge)
  const { url, sent } = await endlessPicture()
  expect(await pictureFetcher(url)('https://endless.example/a.png')).toEqual(tooLarge)
  expect(sent()).toBeGreaterThan(10 * 1024 * 1024)
  expect(sent()).toBeLessThan(30 * 1024 * 1024)
  expect(await get('https://gone.example/a.png')).toEqual({ problem: 'The address does not answer with a picture.' })
  const away = new TypeError('fetch failed')
  for (const [error, problem] of [
    [away, 'The address of the picture cannot be reached.'],
    [new DOMException('', 'TimeoutError'), 'The picture did not come within eight seconds.'],
  ] as const) {
    vi.stubGlobal('fetch', () => Promise.reject(error))
    expect(await get('https://pictures.example/a.png')).toEqual({ problem })
  }
})

async function endlessPicture() {
  let sent = 0
  const endless = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    const write = () => {
      do sent += 65_536
      while (!response.destroyed && response.write(new Uint8Array(65_536)))
    }
    response.on('drain', write)
    write()
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    endless.close()
    endless.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(endless.address() as AddressInfo).port}`, sent: () => sent }
}

test('reads no more than the beginning of a picture that never ends', async () => {
  const { url, sent } = await endlessPicture()
  expect(await pictureInspector(url)('https://endless.example/a.png')).toBe(
    'The address does not answer with a picture.',
  )
  expect(sent()).toBeLessThan(20 * 1024 * 1024)
})

test.for<[string, boolean]>([
  ...['a.example', 'a.b-c.d2.example', '1.a.x1-y', 'a.example:443', 'lan.example', 'a.internal.example'].map(
    (host): [string, boolean] => [`https://${host}/`, true],
  ),
  ...[
    'a_b.example',
    'a.b_c.example',
    'a.b.c_d',
    'example',
    'a.lan',
    'a.home',
    'a.corp',
    'a.home.arpa',
    ':b@a.example',
  ].map((host): [string, boolean] => [`https://${host}/`, false]),
  ['http://a.example/', false],
])('takes %s for an address of the public network: %s', ([address, expected]) => {
  expect(isPublic(new URL(address))).toBe(expected)
})

const answerWith = (...answers: Response[]) => vi.stubGlobal('fetch', () => Promise.resolve(answers.shift()))
const max = 10 * 1024 * 1024

test.for([max, max + 1])('of a picture of 10 MB, said or sent, no byte is too many: %i', async (bytes) => {
  const problem = bytes > max ? 'The picture is larger than 10 MB.' : null
  const headers = { 'content-type': 'image/png' }
  answerWith(new Response('GIF8', { headers: { ...headers, 'content-length': String(bytes) } }))
  expect(await pictureInspector(undefined)('https://a.example/a')).toBe(problem)
  answerWith(new Response(new Uint8Array(bytes), { headers }))
  const found = await pictureFetcher(undefined)('https://a.example/a')
  expect('file' in found ? [found.file.size, null] : [bytes, found.problem]).toEqual([bytes, problem])
})

test.for([3, 4])('follows three redirects, whose answers have no body: %i', async (count) => {
  const move = () => new Response(null, { status: 302, headers: { location: '/b' } })
  answerWith(...Array.from({ length: count }, move), new Response(null, { headers: { 'content-type': 'image/png' } }))
  expect(await imageChecker(undefined)('https://a.example/a')).toBe(count === 3)
})

test.for<[status: number, headers: Record<string, string>, isImage: boolean]>([
  [200, { location: '/b', 'content-type': 'image/png' }, true],
  [300, { location: '/b' }, true],
  [302, {}, false],
  [400, { location: '/b' }, false],
  [404, { 'content-type': 'image/png' }, false],
  [200, { 'content-type': 'x-image/png' }, false],
])('an answer %i with %j before a picture is one, or leads to one: %s', async ([status, headers, isImage]) => {
  answerWith(new Response(null, { status, headers }), new Response(null, { headers: { 'content-type': 'image/png' } }))
  expect(await imageChecker(undefined)('https://a.example/a')).toBe(isImage)
  answerWith(new Response(null, { status, headers }))
  if (!isImage)
    expect(await pictureInspector(undefined)('https://a.example/a')).toBe('The address does not answer with a picture.')
})
