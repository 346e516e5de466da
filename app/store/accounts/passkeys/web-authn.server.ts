import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { cose, decodeClientDataJSON, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { z } from 'zod'

/*
 * What a browser says of a passkey (WebAuthn level 3, sections 7.1 and 7.2; decision 38). The library verifies it and throws at whatever is
 * wrong. What it leaves out is checked here: other sites' frames, the id, and what kind of key it is.
 */

/** COSE: ES256, EdDSA and RS256. */
export const algorithms = [-7, -8, -257] as const

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)
const credential = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
}

export const Attestation = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url(4000), attestationObject: base64url(12_000) }),
})
export type Attestation = z.output<typeof Attestation>

export const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(2000),
    userHandle: base64url(100)
      .nullish()
      .transform((handle) => handle ?? undefined),
  }),
})
export type Assertion = z.output<typeof Assertion>

export interface Expected {
  /** In base64url. */
  challenge: string
  /** Of the shop: its host name is the id that passkeys are bound to. */
  origin: string
}

export function rpIdOf(origin: string): string {
  return new URL(origin).hostname
}

/** The key (COSE in base64url) and its counter of signatures, if this is a new passkey for the challenge, its user verified; else null. */
export async function readAttestation(
  attestation: Attestation,
  expected: Expected,
): Promise<{ publicKey: string; signCount: number } | null> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...optionsOf(attestation, expected),
      response: attestation,
      supportedAlgorithmIDs: [...algorithms],
    })
    if (!verified || registrationInfo.credential.id !== attestation.id) return null
    const { publicKey, counter } = registrationInfo.credential
    return isKey(publicKey) ? { publicKey: Buffer.from(publicKey).toString('base64url'), signCount: counter } : null
  } catch {
    return null
  }
}

/** The counter of the same for a signature of a passkey that the shop knows. Whether it rose is left to the caller. */
export async function readAssertion(
  assertion: Assertion,
  expected: Expected,
  { publicKey }: { publicKey: string },
): Promise<{ signCount: number } | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...optionsOf(assertion, expected),
      response: assertion,
      // The library compares the counter before it verifies the signature, so anybody could send a low one. 0 passes.
      credential: { id: assertion.id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    })
    return verified ? { signCount: authenticationInfo.newCounter } : null
  } catch {
    return null
  }
}

function optionsOf({ response }: Attestation | Assertion, { challenge, origin }: Expected) {
  if (decodeClientDataJSON(response.clientDataJSON).crossOrigin) throw new Error('in a frame of another site')
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
  }
}

/** The library takes keys of any curve and size, and even fields that are cut off. */
function isKey(publicKey: Uint8Array<ArrayBuffer>): boolean {
  const key = decodeCredentialPublicKey(publicKey)
  const { COSEKEYS, COSEALG, COSECRV } = cose
  const alg = key.get(COSEKEYS.alg)
  if (cose.isCOSEPublicKeyEC2(key)) {
    const isP256 = alg === COSEALG.ES256 && key.get(COSEKEYS.crv) === COSECRV.P256
    return isP256 && key.get(COSEKEYS.x)?.length === 32 && key.get(COSEKEYS.y)?.length === 32
  }
  if (cose.isCOSEPublicKeyOKP(key)) {
    const isEd25519 = alg === COSEALG.EdDSA && key.get(COSEKEYS.crv) === COSECRV.ED25519
    return isEd25519 && key.get(COSEKEYS.x)?.length === 32
  }
  if (!cose.isCOSEPublicKeyRSA(key) || alg !== COSEALG.RS256) return false
  const n = key.get(COSEKEYS.n)
  // 2048 bits: a leading zero would only make it look long.
  return n !== undefined && n.length >= 256 && n[0] !== 0
}
