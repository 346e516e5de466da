import { eq, sql } from 'drizzle-orm'
import { expect, orderInput, test, type Customer, type Store } from '../../../tests/support/store'
import { users } from '../../db/schema'
import { beginWith, sessionUser } from '../accounts/sign-in.server'
import { removeInstrument } from '../catalog/manage-instruments.server'
import { newId } from '../shared/ids.server'
import { beginClaimedOrder, placeClaimedOrder } from './claimed-order.server'

type ClaimedOrder = Parameters<typeof placeClaimedOrder>[2]

/** In the batch that looks up the caller, whose session this leaves out. */
async function begin({ deps }: Store, caller: Customer, order: ClaimedOrder) {
  const part = await beginClaimedOrder(deps, sql`${caller.id}`, order)
  return part && (await beginWith(deps, await sessionUser(deps, 'none'), part))?.begun
}

/** As `POST /order` does: in that batch, and then by itself where that left it open. */
async function send(shop: Store, caller: Customer, order: ClaimedOrder) {
  const begun = await begin(shop, caller, order)
  const placed = await placeClaimedOrder(shop.deps, { ...caller, role: 'customer' }, order, begun)
  return { begun, placed }
}

const order = (more: Partial<ClaimedOrder> = {}): ClaimedOrder => {
  const { instrumentId: _, ...terms } = orderInput('', 2)
  return { ...terms, ...more }
}

test('places an order whose claims are all true in the batch that looks up the caller', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Viola', price: 10_00, stock: 9 })
  const ada = await shop.customer({ name: 'Ada' })
  for (const named of [
    { productName: 'Viola' },
    { instrumentId: violin },
    { productName: 'Viola', instrumentId: violin },
  ]) {
    shop.invalidated.length = 0
    const claims = { customerName: 'Ada', customerEmail: ada.email, orderPrice: 20_00 }
    const { begun, placed } = await send(shop, ada, order({ ...named, ...claims }))
    expect(placed).toEqual({ id: expect.any(String) as string, isRepeat: false })
    expect(begun).toEqual(placed)
    expect(shop.invalidated).toEqual(['stock'])
  }
  expect(await shop.ordersOf(ada)).toMatchObject(
    Array(3).fill({ instrumentId: violin, quantity: 2, totalCents: 20_00 }),
  )
  expect(await shop.stockOf(violin)).toBe(3)
})

const refusals: [Partial<ClaimedOrder>, object][] = [
  [{ customerName: 'Eve' }, { fields: { customerName: ['This is not your name'] } }],
  [{ customerEmail: 'eve@x.example' }, { fields: { customerEmail: ['This is not your email'] } }],
  [{ orderPrice: 19_99 }, { code: 'conflict' }],
  [{ productName: 'Lute' }, { message: 'No instrument on sale is called "Lute".' }],
  [{ productName: 'Shawm' }, { message: 'No instrument on sale is called "Shawm".' }],
  [{ productName: 'Bow' }, { message: 'Several instruments are called "Bow". Name one with instrumentId.' }],
  [{ instrumentId: 'bow' }, { message: 'No instrument on sale is called "Viola".' }],
]

test('refuses an order with a claim that is not true, and takes no stock', async ({ shop }) => {
  const viola = await shop.sells({ name: 'Viola', price: 10_00, stock: 9 })
  await shop.sells({ name: 'Bow', id: 'bow' })
  await shop.sells({ name: 'Bow' })
  await removeInstrument(shop.deps, (await shop.admin()).id, await shop.sells({ name: 'Shawm' }))
  const ada = await shop.customer({ name: 'Ada' })
  for (const [claims, refusal] of refusals) {
    const claimed = order({ productName: 'Viola', ...claims })
    expect((await begin(shop, ada, claimed)) ?? null, JSON.stringify(claims)).toBeNull()
    await expect(send(shop, ada, claimed)).rejects.toMatchObject(refusal)
  }
  expect([await shop.ordersOf(ada), await shop.stockOf(viola)]).toEqual([[], 9])
})

test('chooses the one of two namesakes that is named by id', async ({ shop }) => {
  await shop.sells({ name: 'Bow' })
  const bow = await shop.sells({ name: 'Bow' })
  const ada = await shop.customer()
  expect((await send(shop, ada, order({ productName: 'Bow', instrumentId: bow }))).begun).not.toBeNull()
  expect(await shop.ordersOf(ada)).toMatchObject([{ instrumentId: bow }])
})

test('finds the order of a form that is sent again, although the customer has another name by now', async ({
  shop,
}) => {
  const viola = await shop.sells({ name: 'Viola' })
  const ada = await shop.customer({ name: 'Ada' })
  const form = order({ productName: 'Viola', customerName: 'Ada', submissionId: newId() })
  const { placed } = await send(shop, ada, form)
  await shop.deps.db.update(users).set({ name: 'Augusta' }).where(eq(users.id, ada.id))
  const again = await send(shop, { ...ada, name: 'Augusta' }, form)
  expect(again).toEqual({ begun: null, placed: { id: placed.id, isRepeat: true } })
  expect(await shop.stockOf(viola)).toBe(98)
  const nameless = order({ productName: 'Viola', submissionId: undefined })
  for (let nth = 0; nth < 2; nth++) await send(shop, { ...ada, name: 'Augusta' }, nameless)
  expect(await shop.ordersOf(ada)).toHaveLength(3)
})

test('places an order that replaces another one, or has a code, after its caller is known', async ({ shop }) => {
  const viola = await shop.sells({ name: 'Viola' })
  const ada = await shop.customer()
  for (const more of [{ replaceUnpaid: true }, { code: 'SPRING' }])
    expect(beginClaimedOrder(shop.deps, sql`${ada.id}`, order({ instrumentId: viola, ...more }))).toBeNull()
  const { placed } = await send(shop, ada, order({ instrumentId: viola, replaceUnpaid: true }))
  expect(placed.isRepeat).toBe(false)
})
