import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '../../db/schema'
import type { Deps } from '../deps'
import { limits } from '../shared/limits'
import { consumeRateLimit } from '../shared/rate-limit.server'
import type { Role } from './sign-in'
import type { Profile } from './profile'
import { indexUsers } from './user-search.server'
import { Refusal } from '../shared/refusal'
import {
  imageAddress,
  isShopName,
  shopNameTaken,
  singleLine,
  optional,
  multiLine,
  phoneNumber,
} from '../shared/validation.server'

/** Spec sections 3 and 5, R21. Address and phone follow the rules of the order form, which they prefill. */
export const ProfileUpdate = z.object({
  name: singleLine({ label: 'Name', required: 'Name is Required', max: 100 }),
  email: z.string().trim().toLowerCase().optional(),
  image: optional(imageAddress),
  address: optional(multiLine({ label: 'Address', required: 'Address is Required', max: 500 })),
  phone: optional(phoneNumber),
})
export type ProfileUpdate = z.output<typeof ProfileUpdate>

export async function readProfile(deps: Deps, user: { id: string }): Promise<Profile> {
  const [row] = await selectProfile(deps, user)
  return row!
}

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

/** Updates the user's own profile (R24). Refuses another email, which identifies the user (R36), and the shop's name. */
export async function updateProfile(
  deps: Deps,
  user: { id: string; email: string; name: string; role?: Role },
  { email, name, image, address, phone }: ProfileUpdate,
): Promise<void> {
  if (email !== undefined && email !== user.email) {
    throw new Refusal('invalid', '', { fields: { email: ['Email cannot be changed'] } })
  }
  if (name !== user.name && user.role !== 'admin' && isShopName(name)) {
    throw new Refusal('invalid', '', { fields: { name: [shopNameTaken] } })
  }
  await consumeRateLimit(deps, [{ key: `profile:${user.id}`, ...limits.profileUpdatesOfAccount }])
  const [[before]] = await deps.db.batch([
    deps.db.select({ image: users.image }).from(users).where(eq(users.id, user.id)),
    deps.db
      .update(users)
      .set({ name, image, address, phone })
      // The account may have been closed since the session was read.
      .where(and(eq(users.id, user.id), isNull(users.closedAt))),
    ...(name === user.name ? [] : [indexUsers(deps.db, eq(users.id, user.id))]),
  ])
  // Reviews show the picture.
  if (before && before.image !== image) deps.invalidate('reviews')
}
