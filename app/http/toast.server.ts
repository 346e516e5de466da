import { createCookieSessionStorage, type AppLoadContext, type TypedResponse } from '@remix-run/cloudflare'
import { createToastUtilsWithCustomSession } from 'remix-toast'
import { newId } from '../store/ids.server'
import type { ToastMessage } from '../ui/toast'

/** Signed, unlike remix-toast's own cookie: otherwise anybody could forge a message. */
export const toastCookie = 'toast'

function toasts({ config }: Pick<AppLoadContext, 'config'>) {
  return createToastUtilsWithCustomSession(
    createCookieSessionStorage({
      cookie: {
        name: toastCookie,
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: config.SHOP_ORIGIN.startsWith('https:'),
        maxAge: 60,
        secrets: [config.SESSION_SECRET],
      },
    }),
  )
}

export function toastTo(
  context: AppLoadContext,
  path: string,
  message: string,
  { type = 'success', headers }: { type?: ToastMessage['type']; headers?: HeadersInit } = {},
): Promise<TypedResponse<never>> {
  return toasts(context).redirectWithToast(path, { message, type }, { status: 303, headers })
}

export async function takeToast(request: Request, context: AppLoadContext) {
  if (context.toast) return { toast: { id: newId(), ...context.toast }, headers: new Headers() }
  const hasCookie = (request.headers.get('cookie') ?? '')
    .split(/;\s*/)
    .some((pair) => pair.startsWith(`${toastCookie}=`))
  if (!hasCookie) return { toast: undefined, headers: new Headers() }
  // A malformed toast is cleared too, or it would break every page.
  const headers = new Headers({ 'set-cookie': `${toastCookie}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0` })
  const result = await toasts(context)
    .getToast(request)
    .catch(() => null)
  const toast = result?.toast
  return { toast: toast && { id: newId(), message: toast.message, type: toast.type as ToastMessage['type'] }, headers }
}
