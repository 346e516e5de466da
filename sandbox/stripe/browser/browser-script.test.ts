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

test("defines the Stripe object that Stripe's packages expect", async () => {
  const { run, errors } = await openPage()
  expect(run('Stripe.version')).toBe('endive')
  const names = ['elements', 'confirmPayment', 'retrievePaymentIntent', '_registerWrapper', 'registerAppInfo']
  for (const name of [...names, 'createToken', 'createPaymentMethod', 'confirmCardPayment', 'handleNextAction']) {
    expect(run(`typeof Stripe('${stripePublishableKey}').${name}`)).toBe('function')
  }
  expect(errors).toEqual([])
})

test('logs an unknown key and rejects a secret key', async () => {
  const { run, errors } = await openPage()
  run("Stripe('pk_test_other')")
  expect(errors).toEqual([expect.stringMatching(/the key pk_test_other, .* only pk_test_cadenza_sandbox/)])
  expect(() => run("Stripe('sk_test_cadenza_sandbox')")).toThrow('You should not use your secret key')
  expect(() => run('Stripe(undefined)')).toThrow('apiKey should be a string')
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

test('allows one Element at a time', async () => {
  const { run } = await openPage()
  run(`var elements = Stripe('${stripePublishableKey}').elements({ clientSecret: 'pi_1_secret_2' })`)
  run("var element = elements.create('payment')")
  expect(() => run("elements.create('payment')")).toThrow('Can only create one Element of type payment.')
  expect(run("elements.getElement('payment') === element")).toBe(true)
  run('element.destroy()')
  expect(run("elements.getElement('payment')")).toBeNull()
  expect(() => run('element.focus()')).toThrow('already been destroyed')
  run("elements.create('payment')")
})

test('serves a frame with its own scripts only and labelled fields, embeddable by any page', async () => {
  const { url } = await openSandbox()
  const response = await fetch(`${url}/elements/payment?parent=http://127.0.0.1:8788`)
  const policy = response.headers.get('content-security-policy')!.split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      'frame-ancestors *',
    ]),
  )
  const document = await response.text()
  expect(document.match(/<script[^>]*>[^<]*/g)).toEqual(['<script type="module" src="/elements/payment.js">'])
  for (const field of ['number', 'expiry', 'cvc']) expect(document).toContain(`for="Field-${field}Input"`)
  for (const autocomplete of ['cc-number', 'cc-exp', 'cc-csc']) {
    expect(document).toContain(`autocomplete="${autocomplete}"`)
  }
})

test('serves every module that the frames load', async () => {
  const { url } = await openSandbox()
  const loaded = new Set<string>()
  const load = async (name: string): Promise<void> => {
    if (loaded.has(name)) return
    loaded.add(name)
    const response = await fetch(`${url}/elements/${name}`)
    expect([name, response.status]).toEqual([name, 200])
    for (const [, next] of (await response.text()).matchAll(/from '\.\/([\w-]+\.js)'/g)) await load(next!)
  }
  await load('payment.js')
  await load('controller.js')
  expect((await fetch(`${url}/elements/stripe.js`)).status).toBe(501)
})
