import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare'
import { RemixServer } from '@remix-run/react'
import { renderToReadableStream } from 'react-dom/server.browser'
import styles from './app.css?inline'
import { contentSecurityPolicy, hashSource } from './http/headers.server'
import { logError } from './http/log.server'
import { NonceContext } from './ui/nonce'
import { StylesContext } from './ui/styles'
import { wantsCardForm, wantsScripts } from './ui/scripts'

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
) {
  const matches = remixContext.staticHandlerContext.matches
  const routes = matches.map((match) => remixContext.routeModules[match.route.id])
  const nonce = wantsScripts(routes) ? crypto.randomUUID() : undefined
  const page = await renderToReadableStream(
    <NonceContext.Provider value={nonce}>
      <StylesContext.Provider value={styles}>
        <RemixServer context={remixContext} url={request.url} nonce={nonce} />
      </StylesContext.Provider>
    </NonceContext.Provider>,
    {
      nonce,
      signal: request.signal,
      onError(error: unknown) {
        logError(context.requestId, error)
        status = 500
      },
    },
  )
  // Pages are small: sent in one piece they compress better than chunk by chunk, and the status is the true one.
  await page.allReady
  const html = inOrder(await new Response(page).text())
  // Remix drops the headers of an action that shows its page again.
  for (const answered of Object.values(remixContext.staticHandlerContext.actionHeaders)) {
    const wait = answered.get('retry-after')
    if (wait) headers.set('retry-after', wait)
  }
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set(
    'content-security-policy',
    contentSecurityPolicy(context.config, { nonce, cardForm: wantsCardForm(routes), styles: stylesSource }),
  )
  return new Response(html, { status, headers })
}

const stylesSource = hashSource(styles)

const end = '</body></html>'

/** What Remix writes behind the end of the document stands before it: browsers read it there in any case. */
function inOrder(html: string): string {
  const at = html.indexOf(end)
  return at < 0 ? html : html.slice(0, at) + html.slice(at + end.length) + end
}

export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (!request.signal.aborted) logError(context.requestId, error)
}
