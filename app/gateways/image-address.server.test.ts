import { expect, test } from '../../tests/support/store'
import { imageChecker } from './image-address.server'

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
