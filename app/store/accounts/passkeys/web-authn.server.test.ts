import { expect, test } from 'vitest'
import { Authenticator, type NewLies } from '../../../../tests/support/authenticator'
import { newSecret } from '../../shared/ids.server'
import { Assertion, Attestation, readAssertion, readAttestation, rpIdOf } from './web-authn.server'

const origin = 'https://shop.example:8443'

function make(key: Authenticator, lies?: NewLies) {
  const expected = { challenge: newSecret(), origin }
  const credential = JSON.parse(key.create({ ...expected, user: { id: 'AAAA' } }, lies)) as unknown
  return { expected, made: Attestation.parse(credential) }
}

test.each([-7, -8, -257] as const)(
  'reads keys and signatures of algorithm %s, whatever their length',
  async (algorithm) => {
    const key = new Authenticator(origin, algorithm)
    const { expected, made } = make(key)
    const read = await readAttestation(made, expected)
    expect(read).toEqual({ publicKey: expect.any(String) as string, signCount: 0 })
    // One of 128 signatures of ES256 is shorter than the others.
    for (let nth = 1; nth <= (algorithm === -7 ? 500 : 2); nth++) {
      const answer = Assertion.parse(JSON.parse(key.get(expected)))
      expect(await readAssertion(answer, expected, read!)).toEqual({ signCount: nth })
      expect(await readAssertion(answer, { ...expected, origin: 'https://shop.example' }, read!)).toBeNull()
    }
  },
)

test('takes the attestation of the passkey itself, which browsers let through, and none of a maker', async () => {
  const key = new Authenticator(origin)
  const self = make(key, { statement: 'self' })
  expect(await readAttestation(self.made, self.expected)).toMatchObject({ signCount: 0 })
  const x5c = [new Uint8Array(300).fill(0x30)]
  const attStmt = new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(70)],
    ['ver', '2.0'],
    ['x5c', x5c],
  ])
  for (const fmt of ['packed', 'tpm', 'android-key', 'android-safetynet', 'fido-u2f', 'apple', 'none', 'other']) {
    const { expected, made } = make(key, { statement: { fmt, attStmt } })
    expect(await readAttestation(made, expected)).toBeNull()
  }
})

test('refuses a passkey that is cut anywhere or is not CBOR, and throws nothing', async () => {
  const key = new Authenticator(origin)
  const { expected, made } = make(key)
  const bytes = Buffer.from(made.response.attestationObject, 'base64url')
  const read = (changed: Buffer) => {
    const response = { ...made.response, attestationObject: changed.toString('base64url') }
    return readAttestation({ ...made, response }, expected)
  }
  for (let at = 1; at < bytes.length; at++) expect(await read(bytes.subarray(0, at))).toBeNull()
  for (const start of [0x81, 0x9b, 0xa1, 0xbb, 0xc0, 0xd8, 0xff])
    expect(await read(Buffer.alloc(9000, start))).toBeNull()
  for (const client of ['null', '[]', '"', '1', '{}']) {
    const response = { ...made.response, clientDataJSON: Buffer.from(client).toString('base64url') }
    expect(await readAttestation({ ...made, response }, expected)).toBeNull()
  }
  const answer = Assertion.parse(JSON.parse(key.get(expected)))
  for (const publicKey of ['', 'AAAA', 'gYGBgYGB', '_____w'])
    expect(await readAssertion(answer, expected, { publicKey })).toBeNull()
})

test('binds passkeys to the host name of the shop', () => {
  expect([rpIdOf(origin), rpIdOf('http://localhost:8788')]).toEqual(['shop.example', 'localhost'])
})
