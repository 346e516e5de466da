import { afterEach, describe } from 'vitest'
import { expect, test } from '../../../tests/support/store'
import { aPaidOrder } from '../../../tests/support/payments'
import { setFamilies } from '../catalog/families'
import { firstFamilies } from '../catalog/families.server'
import { shipOrder } from '../orders/manage-order.server'
import type { Settings } from '../settings/settings'
import { doneOf, sayFirstStep, selectFirstSteps } from './first-steps.server'

afterEach(() => setFamilies(firstFamilies))

const nothing = {
  ...{ isAside: 0, keepsFamilies: 0, hasShipped: 0, instrument: 0, picture: 0, terms: 0, order: 0 },
}
const settings = {
  ...{ name: 'Cadenza', supportEmail: '', supportPhone: '', salesEmail: '', salesPhone: '', ordersEmail: '' },
  ...{ ordersPhone: '', deliveryTime: '', returns: '', sellerName: '', sellerAddress: '' },
} as Settings
const config = { MAIL_FROM: 'Cadenza <shop@cadenza.example>', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
const shopEmail = 'shop@cadenza.example'

/** What is done, by name. */
function doneIn({ facts = {}, factor = false, more = {}, deployed = {} }) {
  const done = doneOf({ ...nothing, ...facts }, factor, {
    ...{ settings: { ...settings, ...more }, shopEmail, config: { ...config, ...deployed } },
  })
  return done && Object.keys(done).filter((key) => done[key as keyof typeof done])
}

describe('what is done before a shop opens', () => {
  test.for<[Parameters<typeof doneIn>[0], string[]]>([
    [{}, []],
    [{ more: { name: 'Reed' } }, ['name']],
    [{ more: { supportPhone: '1' } }, ['contact']],
    [{ more: { salesPhone: '1' } }, ['contact']],
    [{ more: { ordersPhone: '1' } }, ['contact']],
    [{ more: { supportEmail: 'a@reed.com' } }, ['contact']],
    [{ more: { salesEmail: 'a@reed.com' } }, ['contact']],
    [{ more: { ordersEmail: 'a@reed.com' } }, ['contact']],
    [{ more: { supportEmail: shopEmail, salesEmail: shopEmail } }, []],
    [{ more: { deliveryTime: 'a week' } }, []],
    [{ more: { returns: 'a month' } }, []],
    [{ more: { deliveryTime: 'a week', returns: 'a month' } }, ['delivery']],
    [{ more: { sellerName: 'Reed' } }, []],
    [{ more: { sellerAddress: '1 Lane' } }, []],
    [{ more: { sellerName: 'Reed', sellerAddress: '1 Lane' } }, ['seller']],
    [{ facts: { terms: 1 } }, ['terms']],
    [{ facts: { keepsFamilies: 1 } }, ['families']],
    [{ facts: { instrument: 1 } }, ['instrument']],
    [{ facts: { picture: 1 } }, ['picture']],
    [{ facts: { order: 1 } }, ['order']],
    [{ factor: true }, ['factor']],
    [{ deployed: { MAIL_FROM: ' Reed <shop@reed.com> ' } }, ['mail']],
    [{ deployed: { MAIL_FROM: 'shop@reed.test.com' } }, ['mail']],
    [{ deployed: { MAIL_FROM: 'Reed <shop@reed.test>' } }, []],
    [{ deployed: { MAIL_FROM: 'shop@reed.invalid ' } }, []],
    [{ deployed: { MAIL_FROM: 'onboarding@resend.dev' } }, []],
    [{ deployed: { STRIPE_PUBLISHABLE_KEY: 'pk_live_1' } }, ['keys']],
  ])('with %j: %j', ([input, done]) => {
    expect(doneIn(input)).toEqual(done)
  })

  test('the families of a new shop are to be looked at, others are not', () => {
    setFamilies([...firstFamilies].reverse())
    expect(doneIn({})).toEqual(['families'])
  })

  test('the list is not shown when it was put aside, orders were shipped, or all is done', () => {
    expect([doneIn({ facts: { isAside: 1 } }), doneIn({ facts: { hasShipped: 1 } })]).toEqual([null, null])
    const facts = { keepsFamilies: 1, instrument: 1, picture: 1, terms: 1, order: 1 }
    const more = {
      ...{ name: 'Reed', supportPhone: '1', deliveryTime: 'a week', returns: 'a month' },
      ...{ sellerName: 'Reed', sellerAddress: '1 Lane' },
    }
    const deployed = { MAIL_FROM: 'shop@reed.com', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
    expect(doneIn({ facts, more, deployed, factor: true })).toBeNull()
    expect(doneIn({ facts, more, deployed })).toHaveLength(11)
  })
})

test('looks at the shop itself, and keeps what an admin said of the list', async ({ shop }) => {
  const factsOf = async () => (await selectFirstSteps(shop.deps))[0]
  expect(await factsOf()).toEqual(nothing)
  const admin = await shop.admin()
  const { id } = await aPaidOrder(shop)
  await shop.readLog()
  expect(await factsOf()).toEqual({ ...nothing, instrument: 1, order: 1 })
  await shipOrder(shop.deps, admin, id)
  await sayFirstStep(shop.deps, admin, 'families')
  expect(await factsOf()).toEqual({ ...nothing, instrument: 1, order: 1, hasShipped: 1, keepsFamilies: 1 })
  for (let press = 0; press < 2; press++) await sayFirstStep(shop.deps, admin, 'aside')
  expect(await factsOf()).toMatchObject({ keepsFamilies: 1, isAside: 1 })
})
