import { and, asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../../db/open.server'
import { passkeys, users } from '../../../db/schema'
import type { Deps } from '../../deps'
import { enqueueEmailIf } from '../../email/outbox.server'
import { accountNotice } from '../../email/templates.server'
import { idOf, newId, newSecret } from '../../shared/ids.server'
import { limits, maxPasskeys } from '../../shared/limits'
import { consumeRateLimit, useOnce } from '../../shared/rate-limit.server'
import { Refusal } from '../../shared/refusal'
import { parseJson, singleLine } from '../../shared/validation.server'
import type { User } from '../sign-in'
import { startSession, type NewSession } from '../sign-in.server'
import { Assertion, Attestation, readAssertion, readAttestation, rpIdOf, type Expected } from './web-authn.server'
import { shopName } from '../../../shop-name'

/** Times in milliseconds since 1970. */
export interface Passkey {
  id: string
  name: string
  createdAt: number
  usedAt: number | null
}

/** Oldest first. For a batch. */
export function selectPasskeys({ db }: Deps, user: { id: string }) {
  return db
    .select({ id: passkeys.id, name: passkeys.name, createdAt: passkeys.createdAt, usedAt: passkeys.usedAt })
    .from(passkeys)
    .where(eq(passkeys.userId, user.id))
    .orderBy(asc(passkeys.createdAt))
}

/** What the browser needs to make a passkey. `isVerified`: else nobody may add one. */
export async function beginPasskey({ db, origin }: Deps, user: User) {
  const rows = await db
    .select({ verifiedAt: users.emailVerifiedAt, id: passkeys.id, handle: passkeys.userHandle })
    .from(users)
    .leftJoin(passkeys, eq(passkeys.userId, users.id))
    .where(eq(users.id, user.id))
  // Random: authenticators store it, and show it to whoever has them.
  const userHandle = rows[0]?.handle ?? newSecret()
  return {
    isVerified: rows[0]?.verifiedAt != null,
    rpId: rpIdOf(origin),
    userHandle,
    known: rows.flatMap(({ id }) => id ?? []),
  }
}

const notAdded = 'This passkey could not be added. Please try again.'

export const NewPasskey = z.object({
  name: singleLine({ label: 'Name', required: 'Name is Required', max: 50 }),
  credential: z
    .string({ error: 'This browser cannot add a passkey here' })
    .max(20_000)
    .transform((text, context) => {
      const read = Attestation.safeParse(parseJson(text))
      if (read.success) return read.data
      context.addIssue({ code: 'custom', message: notAdded })
      return z.NEVER
    }),
})

/**
 * Adds a passkey with a name, and sends an email about it. Refuses one that is not made for this challenge and shop or whose user was not
 * verified, one that is here already, an unverified email (whoever registered it could lock its owner out, R6), and more than 20.
 */
export async function addPasskey(
  deps: Deps,
  user: User,
  { name, credential }: z.output<typeof NewPasskey>,
  { userHandle, ...expected }: Expected & { userHandle: string },
): Promise<void> {
  await useChallenge(deps, expected)
  const read = await readAttestation(credential, expected)
  if (!read) throw new Refusal('invalid', notAdded)
  const { db, now } = deps
  const what = `The passkey “${name}” can now log in to your ${shopName} account. A new password ends all passkeys.`
  const isAdded = sql`EXISTS (SELECT 1 FROM passkeys WHERE id = ${credential.id} AND user_id = ${user.id})`
  try {
    const [added] = await db.batch([
      db.run(sql`
        INSERT INTO passkeys (id, user_id, user_handle, public_key, sign_count, name, created_at)
        SELECT ${credential.id}, id, coalesce((SELECT user_handle FROM passkeys WHERE user_id = ${user.id} LIMIT 1), ${userHandle}),
          ${read.publicKey}, ${read.signCount}, ${name}, ${now()}
        FROM users WHERE id = ${user.id} AND email_verified_at IS NOT NULL AND closed_at IS NULL
          AND (SELECT count(*) FROM passkeys WHERE user_id = ${user.id}) < ${maxPasskeys}`),
      logChange(deps, user, 'passkey added', isAdded),
      enqueueEmailIf(deps, notice(deps, user, 'A passkey was added', what, await idOf(credential.id)), isAdded),
    ])
    if (added.rowsAffected === 0)
      throw new Refusal('conflict', `Verify your email first. An account has at most ${maxPasskeys} passkeys.`)
  } catch (error) {
    if (isBrokenRule(error, 'passkeys.id')) throw new Refusal('conflict', 'This passkey is here already.')
    throw error
  }
}

/** Removes a passkey of the user, and sends an email about it. False if there is none with this id. */
export async function removePasskey(deps: Deps, user: User, id: string): Promise<boolean> {
  const { db } = deps
  const what = `A passkey was removed from your ${shopName} account. It can no longer log in.`
  const isGone = sql`changes() = 1`
  const [removed] = await db.batch([
    db.delete(passkeys).where(and(eq(passkeys.id, id), eq(passkeys.userId, user.id))),
    logChange(deps, user, 'passkey removed', isGone),
    enqueueEmailIf(deps, notice(deps, user, 'A passkey was removed', what, newId()), isGone),
  ])
  return removed.rowsAffected === 1
}

/**
 * Starts a session of whoever has this passkey. The browser has asked for a finger, a face or a PIN, so no code of a second factor is needed
 * (decision 38). Refuses everything else with the same words (R7): also an answer to a challenge that was used, and a counter that did not
 * rise, which a copied passkey has. Only failures count against the limit.
 */
export async function signInWithPasskey(
  deps: Deps,
  answer: string,
  expected: Expected,
  { ip, userAgent }: { ip: string; userAgent: string },
): Promise<{ userId: string; session: NewSession }> {
  const { undo } = await consumeRateLimit(deps, [{ key: `passkey:ip:${ip}`, ...limits.failedPasskeysFromIp }])
  await useChallenge(deps, expected)
  const assertion = Assertion.safeParse(parseJson(answer))
  if (!assertion.success) throw refused()
  const { id, response } = assertion.data
  const [row] = await deps.db.select().from(passkeys).where(eq(passkeys.id, id))
  if (!row || (response.userHandle !== undefined && response.userHandle !== row.userHandle)) throw refused()
  const read = await readAssertion(assertion.data, expected, row)
  if (!read) throw refused()
  const { signCount } = read
  if ((signCount > 0 || row.signCount > 0) && signCount <= row.signCount) {
    deps.report('passkey counter', 'The counter of a passkey did not rise: it may be a copy.', row.userId)
    throw refused()
  }
  // The counter of this moment: of two at once with one counter, one is refused. Also if the passkey was removed since.
  const isSame = sql`EXISTS (SELECT 1 FROM passkeys WHERE id = ${id} AND sign_count = ${row.signCount})`
  const used = deps.db
    .update(passkeys)
    .set({ signCount, usedAt: deps.now() })
    .where(and(eq(passkeys.id, id), eq(passkeys.signCount, row.signCount)))
  const login = { id: row.userId, passwordHash: null }
  const session = await startSession(deps, login, userAgent, { withCode: true, also: used, onlyIf: isSame }).catch(
    (error: unknown) => {
      throw error instanceof Refusal ? refused() : error
    },
  )
  await undo
  return { userId: row.userId, session }
}

function refused(): Refusal {
  return new Refusal('wrong-credentials', 'This passkey did not work here. Log in another way, or try again.')
}

function useChallenge(deps: Deps, { challenge }: Expected): Promise<void> {
  return useOnce(deps, `passkey:${challenge}`).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal('conflict', 'That took too long. Please try again.') : error
  })
}

function logChange({ db, now }: Deps, { id }: User, event: string, condition: ReturnType<typeof sql>) {
  return db.run(sql`
    INSERT INTO audit_log (at, event, actor, user_id) SELECT ${now()}, ${event}, ${id}, ${id} WHERE ${condition}`)
}

function notice({ origin }: Deps, { email }: User, subject: string, what: string, id: string) {
  return accountNotice({ id: `passkey:${id}`, email, subject, what, origin })
}
