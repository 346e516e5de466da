import { z } from 'zod'
import { endpoint, type ApiPath } from '../endpoint.server'
import { issueAccessToken } from '../../store/accounts/access-tokens.server'
import { findRole, grantAdmin, listUsers, revokeAdmin } from '../../store/accounts/users.server'
import { ProfileUpdate, updateProfile } from '../../store/accounts/profile.server'
import { logSecurityEvent } from '../../http/log.server'
import type { Deps } from '../../store/deps'
import { Refusal } from '../../store/shared/refusal'
import type { SignedInUser, User } from '../../store/accounts/sign-in'
import { isRecentSignIn } from '../../store/accounts/sign-in.server'
import { Modified, modified, Page, userJson, UserShape } from './schemas.server'

const ada = { email: 'ada@example.com', name: 'Ada Lovelace', userType: 'customer' as const, emailVerified: true }
const grace = { email: 'grace@example.com', name: 'Grace Hopper', userType: 'admin' as const, emailVerified: true }

export const userToken: ApiPath = {
  path: '/user/{email}',
  tag: 'Users',
  endpoints: {
    PUT: endpoint({
      summary: 'Exchanges the caller’s session for an access token, which works for an hour',
      auth: 'signed-in',
      body: z.strictObject({ email: z.string().max(300).optional() }),
      output: z.strictObject({ token: z.string() }).meta({ id: 'Token' }),
      example: {
        param: ada.email,
        body: { email: ada.email },
        response: { token: 'cdz_mJ3v0Xy2l5cTq8Zb1NfWk7Rs4HdUe6GaPo9LiB_tVxE' },
      },
      errors: [403],
      async run({ context, caller, params, body }) {
        // Only a session may issue tokens, not another token (R4).
        const user = await context.user()
        if (!context.sessionSecret || user?.id !== caller.id) throw new Refusal('unauthenticated', 'Log in first.')
        requireSelf(caller, params.email!)
        if (body.email !== undefined) requireSelf(caller, body.email)
        return { token: (await issueAccessToken(context, context.sessionSecret)).token }
      },
    }),
  },
}

export const users: ApiPath = {
  path: '/user',
  tag: 'Users',
  endpoints: {
    GET: endpoint({
      summary: 'All registered users, oldest first',
      auth: 'admin',
      scope: 'customers:read',
      paged: true,
      query: Page,
      output: z.array(UserShape),
      example: { response: [ada, grace] },
      async run({ context, query }) {
        const { users, next } = await listUsers(context, query)
        return { items: users.map(userJson), next }
      },
    }),
  },
}

export const userAdmin: ApiPath = {
  path: '/user/admin/{email}',
  tag: 'Users',
  endpoints: {
    PUT: endpoint({
      summary: 'Makes a user an admin; the caller’s last login must be at most 15 minutes old',
      auth: 'admin',
      forbidden: 'You cannot make an admin',
      output: Modified,
      example: { param: grace.email, response: modified(1) },
      errors: [404],
      async run({ context, caller, params }) {
        requireRecentSignIn(context, caller)
        const granted = await grantAdmin(context, caller.id, params.email!.trim().toLowerCase())
        if (granted === null) throw new Refusal('not-found', 'No user has this email.')
        logSecurityEvent(context, 'admin granted', { user: caller.id })
        return modified(granted ? 1 : 0)
      },
    }),
    DELETE: endpoint({
      summary:
        'Makes an admin a customer, but not the last admin; the caller’s last login must be at most 15 minutes old',
      auth: 'admin',
      output: Modified,
      example: { param: grace.email, response: modified(1) },
      errors: [404, 409],
      async run({ context, caller, params }) {
        requireRecentSignIn(context, caller)
        const revoked = await revokeAdmin(context, caller, params.email!.trim().toLowerCase())
        if (revoked === null) throw new Refusal('not-found', 'No user has this email.')
        logSecurityEvent(context, 'admin revoked', { user: caller.id })
        return modified(revoked ? 1 : 0)
      },
    }),
  },
}

export const adminFlag: ApiPath = {
  path: '/admin/{email}',
  tag: 'Users',
  endpoints: {
    GET: endpoint({
      summary: 'Whether the caller is an admin; an admin may ask about anybody',
      auth: 'signed-in',
      output: z.strictObject({ admin: z.boolean() }).meta({ id: 'AdminFlag' }),
      example: { param: ada.email, response: { admin: false } },
      errors: [403, 404],
      async run({ context, caller, params }) {
        const email = params.email!.trim().toLowerCase()
        if (caller.role !== 'admin') requireSelf(caller, email)
        const role = email === caller.email ? caller.role : await findRole(context, email)
        if (role === null) throw new Refusal('not-found', 'No user has this email.')
        return { admin: role === 'admin' }
      },
    }),
  },
}

const { email, image, address, phone } = ProfileUpdate.shape
const cleared = { description: 'Absent or null: cleared' }

const ProfileFields = ProfileUpdate.extend({
  email: email.meta({ description: 'Must be the caller’s own', maxLength: 254 }),
  image: image.prefault(null).meta(cleared),
  address: address.prefault(null).meta(cleared),
  phone: phone.prefault(null).meta(cleared),
}).strict()

export const profile: ApiPath = {
  path: '/update/{email}',
  tag: 'Users',
  endpoints: {
    PUT: endpoint({
      summary: 'Replaces the caller’s profile: an absent image, address or phone is cleared',
      auth: 'signed-in',
      body: ProfileFields,
      output: Modified,
      example: {
        param: ada.email,
        body: { name: ada.name, address: '1 Bow Lane, Cremona', phone: '+39 0372 555 0199' },
        response: modified(1),
      },
      errors: [403],
      async run({ context, caller, params, body }) {
        requireSelf(caller, params.email!)
        await updateProfile(context, caller, body)
        return modified(1)
      },
    }),
  },
}

function requireRecentSignIn(deps: Deps, caller: SignedInUser): void {
  if (isRecentSignIn(deps, caller)) return
  throw new Refusal('forbidden', 'Log in again first. Your last login was more than 15 minutes ago.')
}

/** The email in the path must be the caller's own (R24). */
function requireSelf(caller: User, email: string): void {
  if (caller.email !== email.trim().toLowerCase())
    throw new Refusal('forbidden', 'You can only access your own account.')
}
