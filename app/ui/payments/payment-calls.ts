/** Asks the shop for the client secret of the order's payment; throws with the shop's words. `orderPrice` in dollars. */
export async function requestIntent(
  wish: { orderId: string; orderPrice: number },
  signal: AbortSignal,
): Promise<string> {
  const { clientSecret } = await call<{ clientSecret: string }>('POST', '/create-payment-intent', wish, signal)
  return clientSecret
}

/** Tells the shop to go and look: the order is paid, as the payment service says. */
export async function confirmOrderPaid(orderId: string, transactionId: string): Promise<void> {
  await call('PATCH', `/order/${encodeURIComponent(orderId)}`, { order: orderId, transactionId })
}

async function call<T>(method: string, path: string, body: object, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
    // The order is paid whether or not this page is still there.
    keepalive: method === 'PATCH',
  }).catch((cause: unknown) => {
    throw new Error(silent, { cause })
  })
  // What stands between us and the shop answers in HTML: the browser's words about that are for nobody.
  const answer = await response.json<T & { error?: { message: string } }>().catch(() => null)
  if (!response.ok || !answer) throw new Error(answer?.error?.message ?? silent)
  return answer
}

const silent = 'The shop does not answer just now. Load this page again in a minute.'
