import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test, type Store } from '../../../tests/support/store'
import { serve } from '../serve.server'
import { methods, type ApiPath } from '../endpoint.server'
import { tokenUser } from '../../store/accounts/access-tokens.server'
import { prepareSession } from '../../store/accounts/sign-in.server'
import { apiPaths } from './index.server'
import { adminFlag, profile, userAdmin, users, userToken } from './users.server'

test('every endpoint declares who may call it', () => {
  const calls = apiPaths.flatMap(({ path, endpoints }) =>
    methods.flatMap((method) => (endpoints[method] ? [`${method} ${path}: ${endpoints[method].auth}`] : [])),
  )
  expect(calls.sort()).toEqual([
    'DELETE /instruments/{id}: admin',
    'DELETE /order/{id}: signed-in',
    'DELETE /user/admin/{email}: admin',
    'DELETE /webhook-endpoints/{id}: admin',
    'GET /admin/{email}: signed-in',
    'GET /instruments/{id}: anyone',
    'GET /instruments: anyone',
    'GET /order-changes: admin',
    'GET /order/{id}: signed-in',
    'GET /order: signed-in',
    'GET /reviews: anyone',
    'GET /user: admin',
    'GET /webhook-endpoints: admin',
    'PATCH /order/{id}: signed-in',
    'POST /create-payment-intent: signed-in',
    'POST /instrument-changes: admin',
    'POST /instruments/{id}/stock: admin',
    'POST /instruments: admin',
    'POST /order/{id}/refunds: admin',
    'POST /order/{id}/shipment: admin',
    'POST /order: signed-in',
    'POST /reviews: signed-in',
    'POST /webhook-endpoints/{id}/test: admin',
    'POST /webhook-endpoints: admin',
    'PUT /instruments/{id}/stock: admin',
    'PUT /update/{email}: signed-in',
    'PUT /user/admin/{email}: admin',
    'PUT /user/{email}: signed-in',
  ])
})

interface Caller {
  id: string
  email: string
  name: string
  role: string
  signedInAt: number
  secret: string
}

async function signedIn(shop: Store, role: 'customer' | 'admin' = 'customer'): Promise<Caller> {
  const user = await shop.customer({ role })
  const { session, insert } = await prepareSession(shop.deps, user, '')
  await insert
  return { ...user, role, signedInAt: shop.deps.now(), secret: session.secret }
}

async function ask(
  shop: Store,
  one: ApiPath,
  caller: Caller,
  email: string,
  body?: object,
  { method = methods.find((each) => one.endpoints[each])!, ...more }: { method?: string; sessionSecret?: null } = {},
) {
  const request = new Request('https://shop.example/', {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const context = {
    ...shop.deps,
    config: { API_ORIGINS: [] },
    sessionSecret: caller.secret,
    user: () => Promise.resolve(caller),
    ...more,
  } as unknown as AppLoadContext
  const response = await serve(one)({ request, context, params: { email } })
  return { status: response.status, json: await response.json<Record<string, unknown>>() }
}

test('issues a token only to the session of its own email, and not for a token', async ({ shop }) => {
  const [ada, bea] = [await signedIn(shop), await signedIn(shop)]
  const issued = await ask(shop, userToken, ada, ` ${ada.email.toUpperCase()}`, { email: ada.email })
  expect(issued.status).toBe(200)
  expect(await (await tokenUser(shop.deps, String(issued.json.token))).select).toMatchObject([{ id: ada.id }])
  expect((await ask(shop, userToken, ada, bea.email, {})).status).toBe(403)
  expect((await ask(shop, userToken, ada, ada.email, { email: bea.email })).status).toBe(403)
  expect((await ask(shop, userToken, ada, ada.email, {}, { sessionSecret: null })).status).toBe(401)
})

test('an admin may look up any user, a customer only themselves', async ({ shop }) => {
  const [ada, admin] = [await signedIn(shop), await signedIn(shop, 'admin')]
  expect(await ask(shop, adminFlag, ada, ada.email)).toEqual({ status: 200, json: { admin: false } })
  expect((await ask(shop, adminFlag, ada, admin.email)).status).toBe(403)
  expect((await ask(shop, adminFlag, ada, 'nobody@example.com')).status).toBe(403)
  expect(await ask(shop, adminFlag, admin, ada.email)).toEqual({ status: 200, json: { admin: false } })
  expect(await ask(shop, adminFlag, admin, admin.email)).toEqual({ status: 200, json: { admin: true } })
  expect((await ask(shop, adminFlag, admin, 'nobody@example.com')).status).toBe(404)
})

test('asks an admin for a recent login before giving and before taking a role, and before nothing else', async ({
  shop,
}) => {
  const admin = await signedIn(shop, 'admin')
  const stale = { ...admin, signedInAt: shop.deps.now() - 15 * 60_000 }
  const asking: string[] = []
  for (const path of apiPaths) {
    for (const [method, { body }] of Object.entries(path.endpoints)) {
      const answer = await ask(shop, path, stale, 'x', body && {}, { method })
      if (JSON.stringify(answer.json).includes('Log in again first.')) asking.push(`${method} ${path.path}`)
    }
  }
  expect(asking.sort()).toEqual(['DELETE /user/admin/{email}', 'PUT /user/admin/{email}'])
})

test('an admin makes admins, and lists all users', async ({ shop }) => {
  const [ada, admin] = [await signedIn(shop), await signedIn(shop, 'admin')]
  expect((await ask(shop, userAdmin, ada, ada.email)).status).toBe(403)
  const stale = await ask(shop, userAdmin, { ...admin, signedInAt: shop.deps.now() - 15 * 60_000 }, ada.email)
  expect(stale).toMatchObject({
    status: 403,
    json: { error: { message: expect.stringContaining('Log in again') as string } },
  })
  const granted = { status: 200, json: { acknowledged: true, modifiedCount: 1 } }
  expect(await ask(shop, userAdmin, admin, ` ${ada.email} `)).toMatchObject(granted)
  expect((await ask(shop, userAdmin, admin, ada.email)).json).toMatchObject({ modifiedCount: 0 })
  expect((await ask(shop, userAdmin, admin, 'nobody@example.com')).status).toBe(404)
  const listed = await ask(shop, users, admin, '')
  expect(listed.json).toHaveLength(2)
  expect(listed.json).toContainEqual({ email: ada.email, name: ada.name, userType: 'admin', emailVerified: true })
})

test('only its owner can update a profile', async ({ shop }) => {
  const [ada, bea] = [await signedIn(shop), await signedIn(shop)]
  expect((await ask(shop, profile, ada, bea.email, { name: 'Eve' })).status).toBe(403)
  expect((await ask(shop, profile, ada, ada.email, { name: 'Augusta' })).status).toBe(200)
})
