/* npm run task -- providers --env NAME: registers the webhook at Stripe, and asks whether Google knows the redirect URI. */
import { parseArgs } from 'node:util'
import Stripe from 'stripe'
import { apiOptions } from '../app/gateways/stripe.server'
import { configAt, findProblems, isTestMode, readSettings } from '../dev/deployment'
import { findGoogleProblem, registerWebhook } from '../dev/providers'

try {
  const { values } = parseArgs({ options: { env: { type: 'string' }, config: { type: 'string' } } })
  const { env } = values
  const key = process.env.STRIPE_SECRET_KEY
  if (!env || !key) throw new Error('Usage: STRIPE_SECRET_KEY=… npm run task -- providers --env staging|production')
  const config = configAt(values.config)
  const settings = readSettings({ env, config })
  const { vars } = settings
  const { problems } = findProblems(settings, { env, config })
  for (const { name, what, remedy } of problems) {
    if (['SHOP_ORIGIN', 'STRIPE_PUBLISHABLE_KEY'].includes(name)) throw new Error(`${name} ${what}. Remedy: ${remedy}`)
  }
  const text = (name: string) => (vars[name] === undefined ? undefined : String(vars[name]))
  const [clientId, stripeUrl, url] = [text('GOOGLE_CLIENT_ID'), text('STRIPE_API_URL'), text('GOOGLE_URL')]
  const origin = String(vars.SHOP_ORIGIN).replace(/\/+$/, '')
  if (key.includes('_test_') !== isTestMode(vars)) {
    throw new Error('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are not of one mode: one is a test key.')
  }
  const secret = await registerWebhook(new Stripe(key, stripeUrl ? apiOptions(stripeUrl) : {}), origin)
  if (secret) {
    console.log(`Stripe: registered the webhook. Enter ${secret} at this command: Stripe does not show it again.`)
    console.log(`  npx wrangler secret put STRIPE_WEBHOOK_SECRET --env ${env}`)
  } else {
    console.log('Stripe: the webhook was registered already; its list of events is up to date now.')
  }
  const problem = clientId ? await findGoogleProblem({ clientId, origin, url }) : null
  if (problem) throw new Error(`${problem}. Add it at https://console.cloud.google.com/apis/credentials`)
  console.log(clientId ? 'Google: knows the redirect URI.' : 'Google: sign-in is off, no GOOGLE_CLIENT_ID.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
process.exit()
