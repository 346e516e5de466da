import type { Deps, WebhookAnswer } from '../deps'
import { decrypt } from '../shared/encryption.server'

interface Endpoint {
  id: string
  url: string
  /** Encrypted. */
  secret: string
}

/** Posts an event as standardwebhooks.com describes: signed with the secret of the endpoint, over id, time and body. */
export async function sendSigned(
  deps: Pick<Deps, 'webhooks' | 'now' | 'encryptionKey'>,
  { id: endpointId, url, secret }: Endpoint,
  { id, payload }: { id: string; payload: string },
): Promise<WebhookAnswer & { durationMs: number }> {
  const key = await decrypt(deps, secret, endpointId)
  if (!key)
    return {
      status: null,
      answer: 'Its secret is unreadable: SESSION_SECRET has changed. Register it again.',
      durationMs: 0,
    }
  const timestamp = String(Math.floor(deps.now() / 1000))
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${await hmac(key, `${id}.${timestamp}.${payload}`)}`,
  }
  return deps.webhooks.send({ url, headers, body: payload })
}

export function isArrived(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

async function hmac(secret: Buffer, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(secret), algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))
  return Buffer.from(signature).toString('base64')
}
