import { t } from '../../i18n/language'
import { translate } from '../../i18n/translate'
/** Returns the client secret. `orderPrice` in dollars. Throws an Error with a message for the user. */
export async function requestIntent(
  body: { orderId: string; orderPrice: number },
  signal: AbortSignal,
): Promise<string> {
  const { clientSecret } = await call<{ clientSecret: string }>('POST', '/create-payment-intent', body, signal)
  return clientSecret
}

export async function confirmOrderPaid(orderId: string, transactionId: string): Promise<void> {
  await call('PATCH', `/order/${encodeURIComponent(orderId)}`, { order: orderId, transactionId })
}

/** False also while the shop cannot be reached. */
export async function isOrderCancelled(orderId: string): Promise<boolean> {
  const response = await fetch(`/order/${encodeURIComponent(orderId)}`).catch(() => null)
  return response?.status === 404
}

async function call<T>(method: string, path: string, body: object, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
    // The confirmation must arrive even if the user leaves the page.
    keepalive: method === 'PATCH',
  }).catch((cause: unknown) => {
    throw new Error(unreachable(), { cause })
  })
  // A proxy may respond with HTML; the browser's parse error means nothing to a user.
  const result = await response.json<T & { error?: { message: string } }>().catch(() => null)
  if (!response.ok || !result) throw new Error(result?.error ? translate(result.error.message) : unreachable())
  return result
}

const unreachable = () => t('Could not reach the shop. Try again')
