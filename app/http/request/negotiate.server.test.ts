import { expect, test } from 'vitest'
import { isNegotiated, negotiate, publicPath, variesBy } from './negotiate.server'

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

const here = 'https://shop.example'
const own = { referer: `${here}/allInstruments` }

// As these send it, but for their names and encodings.
test.each<[string, Record<string, string>, string]>([
  ['a link in Links', { accept: '*/*', 'accept-language': 'en,*;q=0.1', ...own }, 'page'],
  ['an address typed in Links', { accept: '*/*', 'accept-language': 'en,*;q=0.1' }, 'page'],
  ['ELinks', { accept: '*/*', 'accept-language': 'en', connection: 'Keep-Alive' }, 'page'],
  ['ELinks after a form', { accept: '*/*', 'accept-language': 'en', pragma: 'no-cache', ...own }, 'page'],
  ['a link in NetSurf', { accept: '*/*', ...own }, 'page'],
  ['a link in NetSurf on the page of the domain', { accept: ' */* ', referer: `${here}/` }, 'page'],
  ['an address typed in NetSurf, which nothing tells from curl', { accept: '*/*' }, 'JSON'],
  ['a browser that says so', { accept: '*/*', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }, 'page'],
  [
    'fetch in a page',
    { accept: '*/*', 'accept-language': 'en-US,en;q=0.9', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', ...own },
    'JSON',
  ],
  ['fetch of another site', { accept: '*/*', 'accept-language': 'de', origin: 'https://other.example' }, 'JSON'],
  ['fetch of Node', { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors' }, 'JSON'],
  ['fetch of Deno', { accept: '*/*', 'accept-language': '*' }, 'JSON'],
  ['curl, Python’s requests, wget', { accept: '*/*' }, 'JSON'],
  ['axios', { accept: 'application/json, text/plain, */*', 'accept-language': 'en', ...own }, 'JSON'],
  ['Go, Java, Python’s urllib', { 'accept-encoding': 'gzip' }, 'JSON'],
  ['a program with a token', { accept: '*/*', 'accept-language': 'en', authorization: 'Bearer x', ...own }, 'JSON'],
  ['a link of another site in NetSurf', { accept: '*/*', referer: 'https://other.example/' }, 'JSON'],
  ['a site that begins like this one', { accept: '*/*', referer: 'https://shop.example.evil.example/' }, 'JSON'],
  ['what wants JSON', { accept: 'application/json', 'accept-language': 'en', ...own }, 'JSON'],
])('%s gets for %j the %s (R64)', (_who, headers, expected) => {
  for (const path of ['/instruments/oboe', '/reviews?about=oboe'])
    for (const method of ['GET', 'HEAD'])
      expect(negotiatedUrl(path, headers, method)).toBe(expected === 'page' ? path : `/__api${path}`)
  // What only programs have stays theirs.
  expect(negotiatedUrl('/order/1', headers)).toBe('/order/1')
})

test('says by which headers it told browsers from programs, where Accept did not', () => {
  const vary = (path: string, accept: string) => variesBy(new Request(here + path, { headers: { accept } }))
  for (const path of ['/instruments/oboe', '/reviews', '/de/instruments/oboe'])
    expect(vary(path, '*/*')).toBe(
      'Accept-Language, Referer, Authorization, Origin, Sec-Fetch-Dest, Sec-Fetch-Mode, Sec-Fetch-Site',
    )
  for (const path of ['/', '/order/1', '/instruments', '/dead/reviews'])
    expect([path, vary(path, '*/*')]).toEqual([path, null])
  expect([vary('/reviews', html), vary('/reviews', 'application/json')]).toEqual([null, null])
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
