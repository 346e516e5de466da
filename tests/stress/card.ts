import { stripePublishableKey } from '../../sandbox/keys'
import { payAt } from '../support/hosted-page'

export type PaymentHandle = { kind: 'checkout'; url: string } | { kind: 'intent'; clientSecret: string }

export type Kind = PaymentHandle['kind']

export const cards = { good: '4242424242424242', declined: '4000000000000002' } as const

export function payableOf(handle: PaymentHandle): string {
  return handle.kind === 'checkout' ? new URL(handle.url).pathname.split('/').at(-1)! : intentOf(handle.clientSecret)
}

export async function payWith(sandboxUrl: string, handle: PaymentHandle, card: string = cards.good): Promise<boolean> {
  if (handle.kind === 'checkout') {
    // A page with nothing to pay has no form.
    return payAt(handle.url, card).then(
      ({ status }) => status === 303,
      () => false,
    )
  }
  const form = new URLSearchParams({
    client_secret: handle.clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '40',
    'payment_method_data[card][cvc]': '123',
  })
  const response = await fetch(`${sandboxUrl}/v1/payment_intents/${intentOf(handle.clientSecret)}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripePublishableKey}` },
    body: form,
  })
  return (await response.json<{ status?: string }>()).status === 'succeeded'
}

function intentOf(clientSecret: string): string {
  return clientSecret.split('_secret_')[0]!
}
