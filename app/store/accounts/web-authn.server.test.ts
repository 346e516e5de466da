import { expect, test } from 'vitest'
import { Authenticator } from '../../../tests/support/authenticator'
import { newSecret } from '../ids.server'
import { Assertion, Attestation, readAssertion, readAttestation, rpIdOf } from './web-authn.server'

const origin = 'https://shop.example:8443'

test.each([-7, -8, -257] as const)('reads keys and signatures of algorithm %s, whatever their length', (algorithm) => {
  const key = new Authenticator(origin, algorithm)
  const expected = { challenge: newSecret(), origin }
  const made = Attestation.parse(JSON.parse(key.create({ ...expected, user: { id: 'AAAA' } })))
  expect(readAttestation(made, expected)).toEqual({ signCount: 0 })
  const { publicKey } = made.response
  // One of 128 signatures of ES256 is shorter than the others.
  for (let nth = 1; nth <= (algorithm === -7 ? 500 : 2); nth++) {
    const answer = Assertion.parse(JSON.parse(key.get(expected)))
    expect(readAssertion(answer, expected, { publicKey, algorithm })).toEqual({ signCount: nth })
    expect(readAssertion(answer, { ...expected, origin: 'https://shop.example' }, { publicKey, algorithm })).toBeNull()
  }
})

test('binds passkeys to the host name of the shop', () => {
  expect([rpIdOf(origin), rpIdOf('http://localhost:8788')]).toEqual(['shop.example', 'localhost'])
})
