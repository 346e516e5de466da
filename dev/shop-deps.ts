import { stripePayments } from '../app/gateways/stripe.server'
import type { Deps } from '../app/store/deps'
import { databaseOf, localPlaces } from './environment'
import { openShop, scriptDeps } from './script-deps'

/** With payments: of the local shop, or of that of the variables. */
export async function shopDeps(env: NodeJS.ProcessEnv): Promise<Deps> {
  const local = env.DATABASE_URL ? {} : localPlaces(env)
  const { SHOP_ORIGIN, SHOP_MAIL, STRIPE_SECRET_KEY, STRIPE_API_URL } = { ...local, ...env }
  if (!SHOP_ORIGIN || !SHOP_MAIL || !STRIPE_SECRET_KEY) {
    throw new Error('With DATABASE_URL, set SHOP_ORIGIN, SHOP_MAIL and STRIPE_SECRET_KEY as the Worker has them.')
  }
  return {
    ...scriptDeps(await openShop(databaseOf(env))),
    origin: SHOP_ORIGIN,
    shopEmail: SHOP_MAIL,
    payments: stripePayments({
      secretKey: STRIPE_SECRET_KEY,
      webhookSecret: '',
      ...(STRIPE_API_URL && { apiUrl: STRIPE_API_URL }),
      shopOrigin: SHOP_ORIGIN,
    }),
    report: (what: string, error: unknown) => console.error(`${what}:`, error instanceof Error ? error.message : error),
  }
}
