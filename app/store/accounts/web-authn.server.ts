import { createHash, createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'

/*
 * What a browser says of a passkey (WebAuthn level 3, sections 7.1 and 7.2; decision 38). It gives the public key as SPKI, so nothing here
 * reads CBOR; without attestation, nobody but the user's own browser vouches for it.
 */

/** COSE: ES256, EdDSA and RS256. */
export const algorithms = [-7, -8, -257] as const

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)
const credential = { id: base64url(1400), type: z.literal('public-key') }

export const Attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(8000),
    publicKey: base64url(2000),
    publicKeyAlgorithm: z.literal(algorithms),
  }),
})
export type Attestation = z.output<typeof Attestation>

export const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(2000),
    userHandle: base64url(100).nullish(),
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

/** The counter of signatures if the answer to the challenge is a new passkey, and its user was verified; else null. */
export function readAttestation({ id, response }: Attestation, expected: Expected): { signCount: number } | null {
  const data = readAuthenticatorData(response, expected, 'webauthn.create')
  // Flag AT, then 16 bytes of the authenticator's model, the length of the id, and the id.
  if (!data || !(data.flags & 0x40) || data.bytes.length < 55) return null
  const attestedId = data.bytes.subarray(55, 55 + data.bytes.readUInt16BE(53))
  return attestedId.equals(bytesOf(id)) && isKey(response) ? { signCount: data.signCount } : null
}

/** The same for a signature of a passkey that the shop knows. */
export function readAssertion(
  { response }: Assertion,
  expected: Expected,
  { publicKey, algorithm }: { publicKey: string; algorithm: number },
): { signCount: number } | null {
  const data = readAuthenticatorData(response, expected, 'webauthn.get')
  if (!data) return null
  const signed = Buffer.concat([data.bytes, sha256(bytesOf(response.clientDataJSON))])
  const isSigned = verify(hashOf(algorithm), signed, keyOf(publicKey), bytesOf(response.signature))
  return isSigned ? { signCount: data.signCount } : null
}

const ClientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
})

/** Null if this is not for this shop and challenge, or if the user was not present and verified (flags UP and UV). */
function readAuthenticatorData(
  { clientDataJSON, authenticatorData }: { clientDataJSON: string; authenticatorData: string },
  { challenge, origin }: Expected,
  type: string,
) {
  const client = ClientData.safeParse(parse(bytesOf(clientDataJSON).toString()))
  const bytes = bytesOf(authenticatorData)
  if (!client.success || client.data.crossOrigin || bytes.length < 37) return null
  if (client.data.type !== type || client.data.challenge !== challenge || client.data.origin !== origin) return null
  if (!bytes.subarray(0, 32).equals(sha256(rpIdOf(origin)))) return null
  const flags = bytes[32]!
  return (flags & 0x05) === 0x05 ? { bytes, flags, signCount: bytes.readUInt32BE(33) } : null
}

function isKey({ publicKey, publicKeyAlgorithm }: Attestation['response']): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = keyOf(publicKey)
    if (publicKeyAlgorithm === -8) return type === 'ed25519'
    if (publicKeyAlgorithm === -7) return type === 'ec' && details?.namedCurve === 'prime256v1'
    return type === 'rsa' && (details?.modulusLength ?? 0) >= 2048
  } catch {
    return false
  }
}

function keyOf(publicKey: string) {
  return createPublicKey({ key: bytesOf(publicKey), format: 'der', type: 'spki' })
}

/** EdDSA hashes by itself. */
function hashOf(algorithm: number): string | null {
  return algorithm === -8 ? null : 'sha256'
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
