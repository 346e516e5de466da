import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '../../db/schema'
import type { Deps } from '../deps'
import type { Profile } from './profile'
import { Refusal } from '../refusal'
import { imageAddress, singleLine, optional, multiLine, phoneNumber } from '../validation.server'

/**
 * What a user says of themselves (spec sections 3 and 5, R21): all of it each time, and null is what they do not say.
 * Address and phone keep the rules of an order, which they fill in. The email is the shop's: see `updateProfile`.
 */
export const ProfileUpdate = z.object({
  name: singleLine({ label: 'Name', required: 'Name is Required', max: 100 }),
  email: z.string().trim().toLowerCase().optional(),
  image: optional(imageAddress),
  address: optional(multiLine({ label: 'Address', required: 'Address is Required', max: 500 })),
  phone: optional(phoneNumber),
})
export type ProfileUpdate = z.output<typeof ProfileUpdate>

/** The user's own profile. */
export async function readProfile(deps: Deps, user: { id: string }): Promise<Profile> {
  const [row] = await selectProfile(deps, user)
  return row!
}

/** The query behind `readProfile`, for a batch. */
export function selectProfile({ db }: Deps, user: { id: string }) {
  return db
    .select({
      name: users.name,
      email: users.email,
      image: users.image,
      address: users.address,
      phone: users.phone,
    })
    .from(users)
    .where(eq(users.id, user.id))
}

/**
 * Writes the user's own profile (R24). Orders keep the name, address and phone that they were placed with. Refuses an
 * email that is not the user's: it proves who they are, and is not changed here (R36).
 */
export async function updateProfile(
  { db }: Deps,
  user: { id: string; email: string },
  { email, name, image, address, phone }: ProfileUpdate,
): Promise<void> {
  if (email !== undefined && email !== user.email) {
    throw new Refusal('invalid', '', { fields: { email: ['Email cannot be changed'] } })
  }
  await db.update(users).set({ name, image, address, phone }).where(eq(users.id, user.id))
}
