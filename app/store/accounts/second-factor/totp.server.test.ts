import { expect, test } from 'vitest'
import { shopName } from '../../../shop-name'
import { base32, newTotpSecret, stepOf, totpUri } from './totp.server'

/** RFC 6238, appendix B: the last six digits. */
const vectors = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const
const secret = Buffer.from('12345678901234567890')

test.for(vectors)('at %d seconds the code of RFC 6238 is %s', ([seconds, code]) => {
  const step = Math.floor(seconds / 30)
  const at = (steps: number) => stepOf(secret, code, (step + steps) * 30_000)
  expect([at(-2), at(-1), at(0), at(1), at(2)]).toEqual([null, step, step, step, null])
})

test('names account and shop in the address for the QR code', () => {
  const name = encodeURIComponent(shopName)
  const uri = `otpauth://totp/${name}:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=${name}`
  expect(totpUri(secret, 'ada@example.com')).toBe(uri)
  expect(newTotpSecret()).toHaveLength(20)
  expect(newTotpSecret()).not.toEqual(newTotpSecret())
})

/** RFC 4648, section 10. */
test.for([
  ['', ''],
  ['f', 'MY'],
  ['foobar', 'MZXW6YTBOI'],
])('encodes %j in base32', ([text, encoded]) => {
  expect(base32(Buffer.from(text!))).toBe(encoded)
})
