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
  })
  const answer = await response.json<T & { error?: { message: string } }>()
  if (!response.ok) throw new Error(answer.error?.message)
  return answer
}
