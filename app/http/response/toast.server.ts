import { createCookieSessionStorage, type AppLoadContext, type TypedResponse } from '@remix-run/cloudflare'
import { createToastUtilsWithCustomSession } from 'remix-toast'
import { newId } from '../../store/shared/ids.server'
import { hostCookie, keyFor } from '../keys.server'
import type { ToastMessage, Undo } from '../../ui/toast'

/** Signed, unlike remix-toast's own cookie: otherwise anybody could forge a message. */
export const toastCookies = ['__Host-toast', 'toast'] as const

function toasts(context: Pick<AppLoadContext, 'config'>) {
  return createToastUtilsWithCustomSession(
    createCookieSessionStorage({
      cookie: {
        name: hostCookie(context.config.SHOP_ORIGIN, 'toast'),
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: context.config.SHOP_ORIGIN.startsWith('https:'),
        maxAge: 60,
        secrets: [keyFor(context, 'toast')],
      },
    }),
  )
}

/** A browser keeps 4 KB of a cookie, in Base64 and with the signature. What takes more room has no Undo. */
const maxUndoLength = 2600

/** `undo`: what its button posts. `inPlace`: to a page with scripts, from itself. To any other, scripts load the document. */
export function toastTo(
  context: AppLoadContext,
  path: string,
  message: string,
  options: { type?: ToastMessage['type']; headers?: HeadersInit; inPlace?: boolean; undo?: Undo | undefined } = {},
): Promise<TypedResponse<never>> {
  const { type = 'success', inPlace = false, undo } = options
  const headers = new Headers(options.headers)
  if (!inPlace) headers.set('x-remix-reload-document', 'true')
  const description = undo && JSON.stringify({ ...undo, fields: new URLSearchParams(undo.fields).toString() })
  const isShort = description !== undefined && description.length <= maxUndoLength
  return toasts(context).redirectWithToast(
    path,
    { message, type, ...(isShort && { description }) },
    { status: 303, headers },
  )
}

export async function takeToast(request: Request, context: AppLoadContext) {
  if (context.toast) return { toast: { id: newId(), ...context.toast }, headers: new Headers() }
  const name = hostCookie(context.config.SHOP_ORIGIN, 'toast')
  const hasCookie = (request.headers.get('cookie') ?? '').split(/;\s*/).some((pair) => pair.startsWith(`${name}=`))
  if (!hasCookie) return { toast: undefined, headers: new Headers() }
  // A malformed toast is cleared too, or it would break every page.
  const headers = new Headers({
    'set-cookie': `${name}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${name.startsWith('__') ? '; Secure' : ''}`,
  })
  const result = await toasts(context)
    .getToast(request)
    .catch(() => null)
  const toast = result?.toast
  if (!toast) return { toast: undefined, headers }
  const { message, type, description } = toast
  return { toast: { id: newId(), message, type: type as ToastMessage['type'], undo: undoOf(description) }, headers }
}

/** The cookie is signed: the text is ours. */
function undoOf(description: string | undefined): Undo | undefined {
  if (description === undefined) return undefined
  const undo = JSON.parse(description) as Undo & { fields: string }
  return { ...undo, fields: [...new URLSearchParams(undo.fields)] }
}
