import { expect, test } from 'vitest'
import { isNegotiated, negotiate, publicPath } from './negotiate.server'

const html = 'text/html,application/xhtml+xml,*/*;q=0.8'
const form = 'application/x-www-form-urlencoded'

function negotiatedUrl(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const negotiated = negotiate(new Request(`https://shop.example${path}`, { method, headers }))
  return negotiated?.url.slice('https://shop.example'.length)
}

test.each([
  ['/instruments/oboe', html, '/instruments/oboe'],
  ['/instruments/oboe?x=1', 'application/json', '/__api/instruments/oboe?x=1'],
  ['/instruments/oboe', '*/*', '/__api/instruments/oboe'],
  ['/instruments/oboe', '', '/__api/instruments/oboe'],
  ['/instruments/oboe', 'text/html;q=0', '/__api/instruments/oboe'],
  ['/instruments/oboe', 'text/html;q=x', '/__api/instruments/oboe'],
  ['/instruments/oboe', 'text/html;q=0.5, application/json;q=0.4', '/instruments/oboe'],
  ['/instruments/oboe', 'text/html;q=0.5, application/json', '/__api/instruments/oboe'],
  ['/instruments/oboe', 'text/html, application/json', '/__api/instruments/oboe'],
  ['/instruments/oboe', 'text/html, */*', '/instruments/oboe'],
  ['/instruments/oboe', 'text/html;q=0.1, */*', '/__api/instruments/oboe'],
  ['/instruments/oboe', 'application/json;q=0.1, TEXT/HTML ; level=1; Q=0.2', '/instruments/oboe'],
  ['/reviews', html, '/reviews'],
  ['/REVIEWS/', '*/*', '/__api/REVIEWS/'],
  ['/Instruments/oboe/', '*/*', '/__api/Instruments/oboe/'],
  ['/instruments/oboe.data', '*/*', '/instruments/oboe.data'],
  ['/instruments', '*/*', '/instruments'],
  ['/instruments/oboe/x', '*/*', '/instruments/oboe/x'],
  ['/order/1', html, '/nowhere'],
  ['/order/1', 'application/json', '/order/1'],
  ['/x/reviews', '*/*', '/x/reviews'],
])('GET %s with Accept %j goes to %s', (path, accept, expected) => {
  expect(negotiatedUrl(path, { accept })).toBe(expected)
})

test.each([
  ['POST', '/instruments/oboe', form, '/instruments/oboe'],
  ['POST', '/instruments/oboe', 'multipart/form-data; boundary=x', '/instruments/oboe'],
  ['POST', '/instruments/oboe', 'application/json', '/__api/instruments/oboe'],
  ['POST', '/instruments/oboe', `${form}x`, '/__api/instruments/oboe'],
  ['POST', '/instruments/oboe', `x${form}`, '/__api/instruments/oboe'],
  ['POST', '/reviews', form, '/__api/reviews'],
  ['PUT', '/instruments/oboe', form, '/__api/instruments/oboe'],
])('%s %s with the type %s goes to %s', (method, path, type, expected) => {
  expect(negotiatedUrl(path, { 'content-type': type, accept: html }, method)).toBe(expected)
})

test('a POST without a content type goes to the API', () => {
  expect(negotiatedUrl('/instruments/oboe', {}, 'POST')).toBe('/__api/instruments/oboe')
  expect(negotiatedUrl('/instruments/oboe', { accept: html }, 'HEAD')).toBe('/instruments/oboe')
})

test.each(['/__api/reviews', '/__API/reviews', '/%5f%5fapi/reviews', '/__apix'])(
  'hides the private path %s',
  (path) => {
    expect(negotiatedUrl(path)).toBeUndefined()
  },
)

test('leaves a malformed path to the router', () => {
  expect(negotiatedUrl('/%E0%A4%A')).toBe('/%E0%A4%A')
})

test('does not copy a request whose path stays the same', () => {
  const request = new Request('https://shop.example/order')
  expect(negotiate(request)).toBe(request)
  expect([publicPath('/__api/reviews'), publicPath('/order')]).toEqual(['/reviews', '/order'])
  expect([isNegotiated('/reviews'), isNegotiated('/reviews.data')]).toEqual([true, false])
})
