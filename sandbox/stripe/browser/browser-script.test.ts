import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openSandbox } from '../../testing/fixture'
import { stripePublishableKey } from '../../keys'

async function openPage() {
  const sandbox = await openSandbox()
  const source = await (await fetch(`${sandbox.url}/endive/stripe.js`)).text()
  const errors: string[] = []
  class HTMLScriptElement {
    src = `${sandbox.url}/endive/stripe.js`
  }
  const page: Record<string, unknown> = {
    HTMLScriptElement,
    document: { currentScript: new HTMLScriptElement() },
    URL,
    console: { error: (message: string) => errors.push(message) },
  }
  page.window = page
  const context = createContext(page)
  runInContext(source, context)
  return { errors, run: (code: string): unknown => runInContext(code, context) }
}

test('serves one plain script to pages of any origin', async () => {
  const { url } = await openSandbox()
  const response = await fetch(`${url}/endive/stripe.js`)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-store',
  })
  expect(await response.text()).not.toMatch(/^\s*(import|export) /m)
  expect((await fetch(`${url}/endive/stripe.js`, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${url}/endive/other.js`)).status).toBe(501)
})

test.each([
  ['stripe.createToken()', 'the sandbox does not know stripe.createToken()'],
  ["stripe.elements({ clientSecret: 'pi_1_secret_2' }).create('card')", "does not know elements.create('card')"],
  [
    "stripe.elements({ mode: 'payment', amount: 500 }).create('payment')",
    'does not know elements without a clientSecret',
  ],
  ["stripe.elements().create('payment')", 'you must pass a clientSecret or mode'],
  ["stripe.elements({ clientSecret: 'pi_1' })", 'clientSecret should be a client secret of the form'],
])('rejects %s with a message', async (code, message) => {
  const { run } = await openPage()
  expect(() => run(`var stripe = Stripe('${stripePublishableKey}'); ${code}`)).toThrow(message)
})

test.each([
  ['{ elements }', 'the `confirmParams.return_url` argument is required'],
  ["{ elements, redirect: 'if_required' }", 'elements should have a mounted Payment Element'],
  ["{ elements: {}, redirect: 'if_required' }", 'elements should be an object created by stripe.elements()'],
  ["{ elements, redirect: 'never' }", "redirect should be 'always' or 'if_required'"],
])('rejects confirmPayment(%s) with a message', async (confirmation, message) => {
  const { run } = await openPage()
  const call = run(`
    var stripe = Stripe('${stripePublishableKey}')
    var elements = stripe.elements({ clientSecret: 'pi_1_secret_2' })
    stripe.confirmPayment(${confirmation})`)
  await expect(call).rejects.toThrow(message)
})
