import { createHash, generateKeyPair, sign, type JsonWebKey, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Claims } from './account'
import { tokenSeconds } from './grants'

export const issuer = 'https://accounts.google.com'

interface SigningKey {
  id: string
  secret: KeyObject
  jwk: JsonWebKey
}

let made: Promise<SigningKey> | undefined

export function signingKey(): Promise<SigningKey> {
  made ??= makeKey()
  return made
}

async function makeKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' })
  const id = createHash('sha1')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')
  return { id, secret: privateKey, jwk: { ...jwk, kid: id, alg: 'RS256', use: 'sig' } }
}

interface Contents {
  claims: Claims
  clientId: string
  nonce: string | undefined
  accessToken: string
  now: number
}

export function idToken({ id, secret }: SigningKey, { claims, clientId, nonce, accessToken, now }: Contents): string {
  const iat = Math.floor(now / 1000)
  const payload = {
    iss: issuer,
    azp: clientId,
    aud: clientId,
    ...claims,
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    nonce,
    iat,
    exp: iat + tokenSeconds + 1,
  }
  const signed = `${encoded({ alg: 'RS256', kid: id, typ: 'JWT' })}.${encoded(payload)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), secret).toString('base64url')}`
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
