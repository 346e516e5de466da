import type { SubmissionResult } from '@conform-to/react'
import {
  createCookie,
  data,
  type ActionFunctionArgs,
  type AppLoadContext,
  type ServerBuild,
} from '@remix-run/cloudflare'
import { z } from 'zod'
import { deleteDrafts, findDraft, saveDraft, type Draft, type DraftKey } from '../../store/accounts/drafts.server'
import type { NewSession } from '../../store/accounts/sign-in.server'
import { newSecret } from '../../store/shared/ids.server'
import { draftTtl, maxDrafts } from '../../store/shared/limits'
import { Refusal } from '../../store/shared/refusal'
import { hostCookie, keyFor } from '../keys.server'
import type { ContextStep } from '../step'
import { logRefusal } from '../log.server'
import { hasBearerToken } from './bearer.server'
import { safeRedirectTo } from './redirect-to'

/*
 * A form that arrives after its session has ended is stored as a draft, and shown again, but not sent, when its user is back
 * (decision 40). The guards save it, the Worker opens it, and `submit` deletes it when the form is sent.
 */

const day = 24 * 60 * 60

function signedCookie(context: AppLoadContext, name: 'draft' | 'session-user', maxAge: number) {
  const { SHOP_ORIGIN: origin } = context.config
  return createCookie(hostCookie(origin, name), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: origin.startsWith('https:'),
    maxAge,
    secrets: [keyFor(context, name)],
  })
}

/** Whose session this browser has, or had: a day longer than the session itself. It signs nobody in. */
const sessionUserCookie = (context: AppLoadContext) => signedCookie(context, 'session-user', 31 * day)

export function setSessionUser(context: AppLoadContext, { userId }: NewSession): Promise<string> {
  return sessionUserCookie(context).serialize(userId)
}

/** The key of the drafts of this browser, and the forms that it had, the last one last. */
const DraftCookie = z.object({ secret: z.string(), paths: z.array(z.string()), isNew: z.boolean() })
type DraftCookie = z.output<typeof DraftCookie>

const draftCookie = (context: AppLoadContext) => signedCookie(context, 'draft', draftTtl / 1000)

async function readDraftCookie(request: Request, context: AppLoadContext): Promise<DraftCookie | null> {
  // Nearly all requests end here. A malformed cookie throws.
  if (!request.headers.get('cookie')?.includes('draft=')) return null
  const value: unknown = await draftCookie(context)
    .parse(request.headers.get('cookie'))
    .catch(() => null)
  return DraftCookie.safeParse(value).data ?? null
}

/** Their names in a form. The code of an order is one for a discount. */
const secrets = ['password', 'code', 'credential', 'passwordView']
const isSecret = (name: string, path: string) =>
  secrets.includes(name) && !(name === 'code' && path.startsWith('/instruments/'))
const longestPath = 500

/** Whose form this is, if this browser has had a session. Anybody else's is not stored. */
export async function findFormerUser(request: Request, context: AppLoadContext): Promise<{ id: string } | null> {
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    request.headers.get('content-type') ?? '',
  )
  // Beside a token, cookies do not count, and no origin was checked (R27).
  if (request.method !== 'POST' || hasBearerToken(request)) return null
  if (!isForm || formPath(request).length > longestPath) return null
  const id: unknown = await sessionUserCookie(context)
    .parse(request.headers.get('cookie'))
    .catch(() => null)
  return typeof id === 'string' && id !== '' ? { id } : null
}

/** Without passwords, codes and files. Returns the cookie with the key; null if nothing was stored. */
export async function saveForm(
  request: Request,
  context: AppLoadContext,
  user: { id: string },
  form: FormData,
): Promise<string | null> {
  const [fields, hasFile] = [{} as Record<string, string>, [...form.values()].some(isFile)]
  const path = formPath(request)
  for (const [name, value] of form) if (typeof value === 'string' && !isSecret(name, path)) fields[name] = value
  if (Object.keys(fields).length === 0) return null
  const { secret, paths } = (await readDraftCookie(request, context)) ?? { secret: newSecret(), paths: [] }
  const isSaved = await saveDraft(context, user, { secret, path }, { fields, hasFile }).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    logRefusal(context, error)
    return false
  })
  if (!isSaved) return null
  const others = paths.filter((each) => each !== path)
  return draftCookie(context).serialize({ secret, paths: [...others, path].slice(-maxDrafts), isNew: true })
}

function isFile(value: FormDataEntryValue): boolean {
  return typeof value !== 'string' && value.size > 0
}

/**
 * For the page of a form with a draft of this user: a request that shows it as the form's answer. From the dashboard, where a login
 * ends that does not know of the form, one redirect leads to it.
 */
export const openDraft: ContextStep = async (request, context, next) => {
  if (request.method !== 'GET') return next(request)
  const cookie = await readDraftCookie(request, context)
  if (!cookie) return next(request)
  const [path, last] = [formPath(request), cookie.paths.at(-1)]
  const isAfterLogin = path === '/dashboard' && cookie.isNew && last !== undefined
  if (!isAfterLogin && !cookie.paths.includes(path)) return next(request)
  const user = await context.user()
  const draft = user && (await findDraft(context, user, { secret: cookie.secret, path: isAfterLogin ? last : path }))
  if (!draft) return next(request)
  if (isAfterLogin) {
    const setCookie = await draftCookie(context).serialize({ ...cookie, isNew: false })
    return new Response(null, { status: 303, headers: { location: safeRedirectTo(last), 'set-cookie': setCookie } })
  }
  context.draft = draft
  const again = draft.hasFile ? 'Choose the file again, and send it.' : 'Please send it again.'
  context.toast = {
    type: 'info',
    message: `You were logged out, so nothing was saved. Your form is as you left it. ${again}`,
  }
  const headers = new Headers(request.headers)
  headers.delete('origin')
  return next(new Request(request.url, { method: 'POST', headers, signal: request.signal }))
}

/** Where `openDraft` has found one, the answer of an action is the draft: nothing runs. */
export function withDrafts(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    const { action } = route.module
    if (!action) return [id, route] as const
    const answer = (args: ActionFunctionArgs) => (args.context.draft ? shown(args.context.draft) : action(args))
    return [id, { ...route, module: { ...route.module, action: answer } }] as const
  })
  return { ...build, routes: Object.fromEntries(routes) }
}

function shown({ fields }: Draft) {
  const lastResult: SubmissionResult = { initialValue: fields }
  return data({ lastResult })
}

/** The form is sent: what was typed is in the request. */
export async function deleteDraft(request: Request, context: AppLoadContext): Promise<void> {
  const cookie = await readDraftCookie(request, context)
  const path = formPath(request)
  if (cookie?.paths.includes(path)) await deleteDrafts(context, [{ secret: cookie.secret, path }])
}

/** For sign-out: also forgets whose session it was. Returns the cookies. */
export async function forgetDrafts(request: Request, context: AppLoadContext): Promise<string[]> {
  const cookie = await readDraftCookie(request, context)
  if (cookie)
    await deleteDrafts(
      context,
      cookie.paths.map((path): DraftKey => ({ secret: cookie.secret, path })),
    )
  return Promise.all(
    [draftCookie(context), sessionUserCookie(context)].map((each) => each.serialize('', { maxAge: 0 })),
  )
}

/** Of the page, as the browser asks for it: scripts send to `.data`, and `sendTo` changes `send`. */
function formPath({ url }: Request): string {
  const { pathname, searchParams } = new URL(url)
  searchParams.delete('send')
  const search = searchParams.toString()
  return pathname.replace(/\.data$/, '') + (search && `?${search}`)
}
