import type { Deps } from '../deps'
import { base64url } from './ids.server'

type Key = Pick<Deps, 'encryptionKey'>

const nonceBytes = 12

/** AES-256-GCM. `owner` is authenticated too, so that nobody can move the result to another row. */
export async function encrypt(deps: Key, plain: Uint8Array<ArrayBuffer>, owner: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const encrypted = await crypto.subtle.encrypt(parameters(nonce, owner), await keyOf(deps), plain)
  return base64url(Buffer.concat([nonce, Buffer.from(encrypted)]))
}

/** Null for what was encrypted with another key or for another owner. */
export async function decrypt(deps: Key, text: string, owner: string): Promise<Buffer | null> {
  const bytes = Buffer.from(text, 'base64url')
  const [nonce, encrypted] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes)]
  const key = await keyOf(deps)
  return crypto.subtle.decrypt(parameters(nonce, owner), key, encrypted).then(Buffer.from, () => null)
}

function parameters(iv: Uint8Array<ArrayBuffer>, owner: string) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(owner) }
}

function keyOf({ encryptionKey }: Key): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', Buffer.from(encryptionKey, 'base64url'), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
}
