import { stripePublishableKey } from '../../sandbox/keys'
import type { Store } from './store'

export async function confirm(
  { sandbox }: Pick<Store, 'sandbox'>,
  clientSecret: string,
  card = '4242424242424242',
): Promise<{ status?: string; error?: { code: string } }> {
  const response = await fetch(`${sandbox.url}/v1/payment_intents/${clientSecret.split('_secret')[0]}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripePublishableKey}` },
    body: new URLSearchParams({
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': card,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '40',
      'payment_method_data[card][cvc]': '123',
    }),
  })
  return response.json()
}
