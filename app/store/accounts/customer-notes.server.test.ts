import { eq } from 'drizzle-orm'
import { later } from '../../../tests/support/payments'
import { expect, test } from '../../../tests/support/store'
import { auditLog, customerNotes } from '../../db/schema'
import { closeAccount } from '../privacy/close-account.server'
import { readOwnData } from '../privacy/own-data.server'
import { readCustomer } from '../screens/customer.server'
import { writeCustomerNote } from './customer-notes.server'

test('keeps one note about a customer, with its last author and time, and loses none that somebody else wrote', async ({
  shop,
}) => {
  const [customer, admin, other] = [await shop.customer(), await shop.admin(), await shop.admin()]
  const noteOf = async () => (await readCustomer(shop.deps, customer.id, { limit: 1 }))!.note
  const write = (by: { id: string }, note: string | null, seen?: number, deps = shop.deps) =>
    writeCustomerNote(deps, by, customer.id, { note, ...(seen !== undefined && { seen }) })
  expect(await noteOf()).toBeNull()
  await write(admin, 'Prefers to be called.')
  const first = (await noteOf())!
  expect(first).toEqual({ text: 'Prefers to be called.', by: admin.email, at: expect.any(Number) as number })
  // The same press again.
  await write(admin, 'Prefers to be called.')
  expect(await noteOf()).toEqual(first)
  await expect(write(other, 'Plays the oboe.')).rejects.toThrow('Somebody has changed the note since.')
  await write(other, 'Plays the oboe.', first.at, later(shop, 1))
  const second = (await noteOf())!
  expect(second).toMatchObject({ text: 'Plays the oboe.', by: other.email })
  await expect(write(admin, null, first.at)).rejects.toThrow('Somebody has changed the note since.')
  await expect(write(admin, 'x'.repeat(2001), second.at)).rejects.toThrow()

  const data = JSON.stringify((await readOwnData(shop.deps, customer).next()).value)
  expect(data).toContain('Plays the oboe.')
  expect(data).not.toContain(other.email)

  await write(admin, null, second.at)
  expect(await noteOf()).toBeNull()
  const events = await shop.deps.db.select().from(auditLog).where(eq(auditLog.userId, customer.id))
  expect(events.map(({ event, actor, note }) => [event, actor, note])).toEqual([
    ['customer note changed', admin.id, ''],
    ['customer note changed', other.id, ''],
    ['customer note changed', admin.id, ''],
  ])
})

test('deletes the note when the account is closed, and takes none afterwards', async ({ shop }) => {
  const [customer, admin] = [await shop.customer(), await shop.admin()]
  await writeCustomerNote(shop.deps, admin, customer.id, { note: 'Pays late.' })
  await closeAccount(shop.deps, customer)
  expect(await shop.deps.db.$count(customerNotes)).toBe(0)
  await expect(writeCustomerNote(shop.deps, admin, customer.id, { note: 'x' })).rejects.toThrow(
    'This account is closed.',
  )
  await expect(writeCustomerNote(shop.deps, admin, 'nobody', { note: 'x' })).rejects.toThrow(
    'There is no such customer.',
  )
})
