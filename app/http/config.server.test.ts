import { expect, test } from 'vitest'
import { localVars } from '../../dev/environment'
import { defaultSettings, deliveryTermsOf, readConfig } from './config.server'

const local = 'http://127.0.0.1:8789'
const vars = localVars({ origin: 'https://shop.example', database: { url: local, authToken: '' }, sandboxUrl: local })

test.for([
  ['DATABASE_URL', 'http://db.example', false],
  ['DATABASE_URL', 'http://127.0.0.1.evil.example', false],
  ['DATABASE_URL', 'libsql://db.example?tls=0', false],
  ['DATABASE_URL', 'libsql://db.example', true],
  ['DATABASE_URL', 'https://db.example', true],
  ['DATABASE_URL', 'http://localhost:8790', true],
  ['STRIPE_API_URL', 'http://stripe.example', false],
  ['GOOGLE_URL', 'http://google.example', false],
  ['MAIL_API_URL', 'http://mail.example', false],
] as const)('beside an https shop, %s may be %s: %s', ([name, address, isAllowed]) => {
  const env = { ...vars, [name]: address }
  if (isAllowed) expect(readConfig(env)[name]).toBe(address)
  else expect(() => readConfig(env)).toThrow(`must be encrypted beside an https SHOP_ORIGIN\n  → at ${name}`)
  expect(readConfig({ ...env, SHOP_ORIGIN: 'http://10.0.0.7:8788' })[name]).toBe(address)
})

test('refuses one half of the keys of Google, and names every wrong variable at once', () => {
  const { GOOGLE_CLIENT_ID: _id, ...half } = vars
  const { GOOGLE_CLIENT_SECRET: _secret, ...none } = half
  expect(readConfig(none).GOOGLE_CLIENT_ID).toBeUndefined()
  const problems = ['GOOGLE_CLIENT_ID', 'DATABASE_URL', 'SHOP_MAIL']
  const wrong = { ...half, DATABASE_URL: 'http://db.example', SHOP_MAIL: 'nobody' }
  for (const name of problems) expect(() => readConfig(wrong)).toThrow(`→ at ${name}`)
})

test('has the words about delivery and returns, and none where they are empty', () => {
  const termsOf = (env: object) => deliveryTermsOf(defaultSettings(readConfig(env)))
  expect(termsOf({ ...vars })).toEqual({ time: null, returns: null })
  const words = { DELIVERY_TIME: ' 5 to 8 working days ', RETURNS: ' ' }
  expect(termsOf({ ...vars, ...words })).toEqual({ time: '5 to 8 working days', returns: null })
  expect(() => readConfig({ ...vars, RETURNS: 'x'.repeat(201) })).toThrow('→ at RETURNS')
})
