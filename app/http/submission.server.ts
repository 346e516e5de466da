import { createHmac } from 'node:crypto'
import { createCookie, type AppLoadContext } from '@remix-run/cloudflare'
import { newId } from '../store/ids.server'
import { browserCache } from './headers.server'

/*
 * Every form that creates something carries a submission number, made here (R43, decision 17): the same form sent again, by a
 * second press, a reload, the back button or after a lost answer, is the same submission.
 */

/** In milliseconds. */
const hour = 60 * 60 * 1000

/** How many numbers of a page a browser remembers. */
const remembered = 4

/**
 * The number in the forms of pages that are cached and the same for everybody. It changes once an hour, so that the pages do not
 * change more often. Visitors share it: what it creates must be told apart by who sent it, or what.
 */
export function sharedSubmissionId({ config, now }: Pick<AppLoadContext, 'config' | 'now'>): string {
  const hours = Math.floor(now() / hour)
  return createHmac('sha256', config.SESSION_SECRET).update(`submission ${hours}`).digest('base64url').slice(0, 22)
}

/**
 * A new number for the form at `path`, and behind it those that this browser was given there before: see `SubmissionId`. With the
 * headers the browser remembers them, and stores the page, so that Back shows it as it was.
 */
export async function issueSubmissionIds(request: Request, { origin }: Pick<AppLoadContext, 'origin'>, path: string) {
  const cookie = createCookie('submissions', {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: origin.startsWith('https:'),
  })
  const value: unknown = await cookie.parse(request.headers.get('cookie'))
  const before = typeof value === 'string' ? value.split('.').filter((id) => /^[\w-]{8,100}$/.test(id)) : []
  const submissionIds = [newId(), ...before].slice(0, remembered)
  const setCookie = await cookie.serialize(submissionIds.join('.'))
  return { submissionIds, headers: { 'set-cookie': setCookie, 'cache-control': browserCache } }
}

/** Puts the number that the browser has restored, if it has, in the place of the one that the page came with. */
export function takeRestoredSubmissionId(form: FormData): FormData {
  const restored = form.get('restoredSubmissionId')
  if (restored) form.set('submissionId', restored)
  form.delete('restoredSubmissionId')
  return form
}
