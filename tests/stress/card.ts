import { stripePublishableKey } from '../../sandbox/keys'
import { payAt } from '../support/hosted-page'

/** What a customer was given to pay at. */
export type Given = { kind: 'checkout'; url: string } | { kind: 'intent'; clientSecret: string }

export type Kind = Given['kind']

export const cards = { good: '4242424242424242', declined: '4000000000000002' } as const

/** The provider's id of it. */
export function payableOf(given: Given): string {
  return given.kind === 'checkout' ? new URL(given.url).pathname.split('/').at(-1)! : intentOf(given.clientSecret)
}

/** Pays as a browser does: on the hosted page, or by confirming the intent. Answers whether the card was charged. */
export async function payWith(sandboxUrl: string, given: Given, card: string = cards.good): Promise<boolean> {
  if (given.kind === 'checkout') {
    // A page with nothing to pay says so, and has no form.
    return payAt(given.url, card).then(
      ({ status }) => status === 303,
      () => false,
    )
  }
  const form = new URLSearchParams({
    client_secret: given.clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '40',
    'payment_method_data[card][cvc]': '123',
  })
  const answer = await fetch(`${sandboxUrl}/v1/payment_intents/${intentOf(given.clientSecret)}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripePublishableKey}` },
    body: form,
  })
  return (await answer.json<{ status?: string }>()).status === 'succeeded'
}

function intentOf(clientSecret: string): string {
  return clientSecret.split('_secret_')[0]!
}
