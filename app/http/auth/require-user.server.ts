import { redirectDocument, type AppLoadContext } from '@remix-run/cloudflare'
import type { User } from '../../store/accounts/sign-in'
import { signedOut } from './session.server'
import { toastTo } from '../toast.server'

/** Whoever is signed in; everybody else goes to /login, and comes back afterwards (R5). */
export async function requireUser(request: Request, context: AppLoadContext): Promise<User> {
  const visitor = await context.visitor()
  if (visitor) return visitor
  const url = new URL(request.url)
  // A form that was posted cannot be taken along: what it stood on can.
  throw redirectDocument(
    `/login?redirectTo=${encodeURIComponent(url.pathname.replace(/\.data$/, '') + url.search)}`,
    303,
  )
}

/** The same for My Orders: a session that has ended leads home (R5, spec section 8). */
export async function requireUserOrHome(request: Request, context: AppLoadContext): Promise<User> {
  if (context.sessionSecret && !(await context.visitor())) throw redirectDocument('/', 303)
  return requireUser(request, context)
}

/** Signed-in visitors have no business on /login and /register. */
export async function requireAnonymous(context: AppLoadContext, redirectTo: string): Promise<void> {
  if (await context.visitor()) throw redirectDocument(redirectTo, 303)
}

/** Admins only: everybody else who is signed in goes to /login, which leads on to the dashboard, and hears why (R5). */
export async function requireAdmin(request: Request, context: AppLoadContext): Promise<User> {
  const visitor = await requireUser(request, context)
  if (visitor.role === 'admin') return visitor
  throw await toastTo(context, '/login', 'That page is for the shopkeeper.', { type: 'error' })
}

/** The same for Manage Orders and Manage Products: a session that has ended is cleared away and leads home (R5, spec section 8). */
export async function requireAdminOrHome(request: Request, context: AppLoadContext): Promise<User> {
  if (context.sessionSecret && !(await context.visitor())) throw await signedOut(context)
  return requireAdmin(request, context)
}
