import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { requireOwnPage, requireRecentSignIn, requireUser } from '../../http/auth/require-user.server'
import { logSecurityEvent } from '../../http/log.server'
import { streamOf } from '../../http/formats/stream.server'
import { readOwnData } from '../../store/privacy/own-data.server'

/** A JSON file of all that the shop has about the user. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  requireOwnPage(request, context, user)
  requireRecentSignIn(context, user, '/dashboard/myProfile/data')
  logSecurityEvent(context, 'data exported', { user: user.id })
  const parts = readOwnData(context, user)
  // An outage must become an error page, not half a file.
  const first = await parts.next()
  async function* text() {
    const { account } = first.value as { account: object }
    yield `{"shop":${JSON.stringify(context.origin)},"writtenAt":${json(context.now(), 'writtenAt')},${json(account).slice(1, -1)}`
    let section = ''
    for await (const part of parts) {
      const [[name, rows]] = Object.entries(part) as [[string, object[]]]
      const lines = rows.map((row) => json(row)).join(',\n')
      if (name === section) yield lines && `,\n${lines}`
      else yield `${section && ']'},\n"${name}":[${lines}`
      section = name
    }
    yield ']}\n'
  }
  return new Response(streamOf(text()), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="my-data.json"',
      'cache-control': 'private, no-store',
    },
  })
}

/** Times as ISO 8601. */
function json(value: unknown, name = ''): string {
  return JSON.stringify(value, (key, each: unknown) =>
    typeof each === 'number' && /(^at|At|Until)$/.test(key || name) ? new Date(each).toISOString() : each,
  )
}
