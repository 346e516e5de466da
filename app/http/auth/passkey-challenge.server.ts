import type { AppLoadContext } from '@remix-run/cloudflare'
import { z } from 'zod'
import { newSecret } from '../../store/shared/ids.server'
import { loginCookie } from './login-cookie.server'

/** In milliseconds, and what browsers are told. */
export const challengeTtl = 5 * 60_000

const Challenge = z.object({ challenge: z.string(), purpose: z.string(), userHandle: z.string(), until: z.number() })

interface Purpose {
  /** `login`, or the id of the user who adds a passkey. */
  purpose: string
  userHandle?: string
}

/** Signed and short-lived in this browser; the store lets each be used once. */
export async function setPasskeyChallenge(context: AppLoadContext, { purpose, userHandle = '' }: Purpose) {
  const challenge = newSecret()
  const until = context.now() + challengeTtl
  const cookie = await loginCookie(context, 'passkey').set({ challenge, purpose, userHandle, until })
  return { challenge, headers: { 'set-cookie': cookie } }
}

/** Null without one, of another purpose, or when it has expired. */
export async function readPasskeyChallenge(request: Request, context: AppLoadContext, purpose: string) {
  const read = Challenge.safeParse(await loginCookie(context, 'passkey').read(request))
  if (!read.success || read.data.purpose !== purpose || read.data.until <= context.now()) return null
  const { challenge, userHandle } = read.data
  return { challenge, userHandle, origin: context.origin }
}
