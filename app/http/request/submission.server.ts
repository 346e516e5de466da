import { createHmac } from 'node:crypto'
import { createCookie, type AppLoadContext } from '@remix-run/cloudflare'
import { newId } from '../../store/shared/ids.server'
import { keyFor, secureCookie } from '../keys.server'
import { browserCache } from '../response/headers.server'

// Submission ids make forms idempotent: the same form sent again is the same submission (R43, decision 17).

const hourMs = 60 * 60 * 1000

const maxIds = 4

/** For cached public pages. Visitors share it, so commands must combine it with the sender or the text. */
export function sharedSubmissionId({ config, now }: Pick<AppLoadContext, 'config' | 'now'>): string {
  const hours = Math.floor(now() / hourMs)
  return createHmac('sha256', keyFor({ config }, 'submission'))
    .update(`submission ${hours}`)
    .digest('base64url')
    .slice(0, 22)
}

export async function issueSubmissionIds(request: Request, { origin }: Pick<AppLoadContext, 'origin'>, path: string) {
  const cookie = createCookie(secureCookie(origin, 'submissions'), {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: origin.startsWith('https:'),
  })
  const value: unknown = await cookie.parse(request.headers.get('cookie'))
  const earlierIds = typeof value === 'string' ? value.split('.').filter((id) => /^[\w-]{8,100}$/.test(id)) : []
  const submissionIds = [newId(), ...earlierIds].slice(0, maxIds)
  const setCookie = await cookie.serialize(submissionIds.join('.'))
  return { submissionIds, headers: { 'set-cookie': setCookie, 'cache-control': browserCache } }
}

/** Prefers the id that the browser restored on Back to that of the page. */
export function takeRestoredSubmissionId(form: FormData): FormData {
  const restored = form.get('restoredSubmissionId')
  if (restored) form.set('submissionId', restored)
  form.delete('restoredSubmissionId')
  return form
}
