import { expect, test } from '../../tests/support/store'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { imageChecker, pictureInspector } from './image-address.server'

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

test('reads no more than the beginning of a picture that never ends', async () => {
  let sent = 0
  const endless = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    const write = () => {
      while (!response.destroyed && response.write(new Uint8Array(65_536))) sent += 65_536
    }
    response.on('drain', write)
    write()
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    endless.close()
    endless.closeAllConnections()
  })
  const inspect = pictureInspector(`http://127.0.0.1:${(endless.address() as AddressInfo).port}`)
  expect(await inspect('https://endless.example/a.png')).toBe('The address does not answer with a picture.')
  expect(sent).toBeLessThan(20 * 1024 * 1024)
})
