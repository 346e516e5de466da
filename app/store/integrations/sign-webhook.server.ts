import { createHmac } from 'node:crypto'
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
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  return deps.webhooks.send({ url, headers, body: payload })
}

export function isArrived(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
