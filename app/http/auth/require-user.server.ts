import { redirectDocument, type AppLoadContext } from '@remix-run/cloudflare'
import { may, type Right } from '../../store/accounts/rights'
import type { SignedInUser } from '../../store/accounts/sign-in'
import { isRecentSignIn } from '../../store/accounts/sign-in.server'
import { noLongerAdmin, wasAdmin } from '../../store/accounts/users.server'
import { maxPictureFormBytes } from '../../store/shared/limits'
import { readForm } from '../request/forms.server'
import { isLinkedFromElsewhere } from '../request/csrf.server'
import { logSecurityEvent } from '../log.server'
import { takeRestoredSubmissionId } from '../request/submission.server'
import { toastTo } from '../response/toast.server'
import { findFormerUser, saveForm } from './drafts.server'
import { signedOutHeaders } from './session.server'
import { t } from '../../i18n/language'

/** Redirects to /login when nobody is signed in; after login the user returns here (R5), where a form is as it was sent. */
export async function requireUser(request: Request, context: AppLoadContext): Promise<SignedInUser> {
  const user = await context.user()
  if (user) return user
  const url = new URL(request.url)
  const login = `/login?redirectTo=${encodeURIComponent(url.pathname.replace(/\.data$/, '') + url.search)}`
  const draft = await draftOf(request, context)
  if (!draft) throw redirectDocument(login, 303)
  const message = t('You were logged out. Log in, and your form is as you left it.')
  throw await toastTo(context, login, message, { type: 'info', headers: { 'set-cookie': draft } })
}

/** For My Orders: with an expired session, redirects home (R5, spec section 8). */
export async function requireUserOrHome(request: Request, context: AppLoadContext): Promise<SignedInUser> {
  if (context.sessionSecret && !(await context.user())) throw await loggedOutHome(request, context, new Headers())
  return requireUser(request, context)
}

export async function requireAnonymous(context: AppLoadContext, redirectTo: string): Promise<void> {
  if (await context.user()) throw redirectDocument(redirectTo, 303)
}

/** For pages and presses: a customer goes to /login, which redirects to the dashboard, with a toast that says why (R5). */
export async function requireAdmin(request: Request, context: AppLoadContext): Promise<SignedInUser> {
  return requireRight(request, context, 'shop')
}

async function requireRight(request: Request, context: AppLoadContext, right: Right): Promise<SignedInUser> {
  const user = await requireUser(request, context)
  if (may(user, right)) return user
  logSecurityEvent(context, 'not allowed', { user: user.id })
  const message = (await wasAdmin(context, user)) ? noLongerAdmin : 'That page is for admins only.'
  throw await toastTo(context, '/login', message, { type: 'error' })
}

/** For Manage Orders and Manage Products: clears an expired session and redirects home (R5, spec section 8). */
export async function requireAdminOrHome(request: Request, context: AppLoadContext): Promise<SignedInUser> {
  return requireRightOrHome(request, context, 'shop')
}

/** The same for colleagues with this right (R53). Admins have every right. */
export async function requireRightOrHome(
  request: Request,
  context: AppLoadContext,
  right: Right,
): Promise<SignedInUser> {
  if (context.sessionSecret && !(await context.user()))
    throw await loggedOutHome(request, context, await signedOutHeaders(context))
  return requireRight(request, context, right)
}

async function loggedOutHome(request: Request, context: AppLoadContext, headers: Headers) {
  const draft = await draftOf(request, context)
  if (draft) headers.append('set-cookie', draft)
  return toastTo(context, '/', t('You were logged out. Log in to continue.'), { type: 'info', headers })
}

/** The cookie that opens the draft. Null where there is nothing to store, or nobody to store it for. */
async function draftOf(request: Request, context: AppLoadContext): Promise<string | null> {
  const user = await findFormerUser(request, context)
  // A form that cannot be read, or is too large, is not stored.
  const form = user && (await readForm(request, maxPictureFormBytes).catch(() => null))
  return form && saveForm(request, context, user, takeRestoredSubmissionId(form))
}

/** For a file to download: another site must not start it. */
export function requireOwnPage(request: Request, context: AppLoadContext, user: SignedInUser): void {
  if (!isLinkedFromElsewhere(request)) return
  logSecurityEvent(context, 'foreign origin', { user: user.id })
  throw new Response('Another site has asked for this file. Open the shop and download it there.\n', { status: 403 })
}

/** For what does not exist or is not this user's: the log shows who tries ids. */
export function notFound(context: AppLoadContext, user: SignedInUser): Response {
  logSecurityEvent(context, 'not found', { user: user.id })
  return new Response(null, { status: 404 })
}

/** Asks for the password again where the sign-in is not recent; then the user returns to `path`. */
export function requireRecentSignIn(context: AppLoadContext, user: SignedInUser, path: string): void {
  if (!isRecentSignIn(context, user))
    throw redirectDocument(`/login/confirm?redirectTo=${encodeURIComponent(path)}`, 303)
}
