import { createCookieSessionStorage, type AppLoadContext, type TypedResponse } from '@remix-run/cloudflare'
import { createToastUtilsWithCustomSession } from 'remix-toast'
import { newId } from '../store/ids.server'
import type { ToastMessage } from '../ui/toast'

/*
 * remix-toast keeps the toast in a cookie until the next page. Its own cookie is not signed: ours is, or anybody could
 * put words into the shop's mouth.
 */
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

/** Goes to `path` (303) and says `message` there. */
export function toastTo(
  context: AppLoadContext,
  path: string,
  message: string,
  { type = 'success', headers }: { type?: ToastMessage['type']; headers?: HeadersInit } = {},
): Promise<TypedResponse<never>> {
  return toasts(context).redirectWithToast(path, { message, type }, { status: 303, headers })
}

/** The toast to show on this page, and the header that forgets it when the browser carries it. */
export async function takeToast(request: Request, context: AppLoadContext) {
  if (context.toast) return { toast: { id: newId(), ...context.toast }, headers: new Headers() }
  const carried = (request.headers.get('cookie') ?? '').split(/;\s*/).some((pair) => pair.startsWith(`${toastCookie}=`))
  if (!carried) return { toast: undefined, headers: new Headers() }
  // After showing, nothing of it needs to stay; and what cannot be read is forgotten, or it would spoil every page.
  const headers = new Headers({ 'set-cookie': `${toastCookie}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0` })
  const taken = await toasts(context)
    .getToast(request)
    .catch(() => null)
  const toast = taken?.toast
  return { toast: toast && { id: newId(), message: toast.message, type: toast.type as ToastMessage['type'] }, headers }
}
