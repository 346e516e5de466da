import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare'
import { isRouteErrorResponse, RemixServer } from '@remix-run/react'
import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server.browser'
import styles from './app.css?inline'
import { contentSecurityPolicy, hashSource } from './http/headers.server'
import { logError } from './http/log.server'
import { NonceContext } from './ui/nonce'
import { StylesContext } from './ui/layout/styles'
import { ProviderError } from './store/deps'
import { wantsCardForm, wantsScripts } from './ui/layout/scripts'
import firstPage from './ui/layout/first-page?inline-script'

export { createWorker } from './worker.server'

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
) {
  const { matches, actionHeaders, loaderHeaders, loaderData, errors } = remixContext.staticHandlerContext
  const routes = matches.map((match) => remixContext.routeModules[match.route.id])
  const nonce = wantsScripts(routes) ? crypto.randomUUID() : undefined
  const render = nonce === undefined ? renderWithoutScripts : renderWithScripts
  const page = await render({ request, remixContext, nonce })
  const email = nonce === undefined ? firstVisitor(remixContext) : null
  const html = withFirstPage(status >= 400 ? showMistake(page) : page, email)
  // Remix drops the headers of an action that shows its page again, and of loaders. A toast must not come back with its page.
  const hasToast = Boolean((loaderData.root as { toast?: unknown } | undefined)?.toast)
  for (const answered of [...Object.values(loaderHeaders), ...Object.values(actionHeaders)]) {
    const [wait, cache] = [answered.get('retry-after'), answered.get('cache-control')]
    if (wait) headers.set('retry-after', wait)
    if (cache && !hasToast && !errors) headers.set('cache-control', cache)
  }
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set(
    'content-security-policy',
    contentSecurityPolicy(context.config, {
      nonce,
      script: email === null ? undefined : firstPageSource,
      cardForm: wantsCardForm(routes),
      styles: stylesSource,
    }),
  )
  headers.set('cross-origin-opener-policy', 'same-origin')
  if (nonce) {
    headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')
    headers.set('link', preloads(remixContext, nonce))
  }
  return new Response(html, { status, headers })
}

/**
 * A page that refuses what was sent says so in its title, and has the first mistake on the screen with the focus on it: without
 * scripts nothing else would. Done here because a page does not know which of its fields is the first wrong one.
 */
function showMistake(html: string): string {
  const marked = html.replace(/ (aria-invalid="true"|role="alert" tabindex="-1")/, '$& autofocus=""')
  return marked === html ? html : marked.replace('<title>', '<title>Error: ')
}

/** The email of a visitor who sees the first page after sign-in, else null. */
function firstVisitor({ staticHandlerContext: { loaderData } }: EntryContext): string | null {
  const shop = loaderData.root as { isFirst: boolean; visitor: { email: string } | null } | undefined
  return shop?.isFirst ? (shop.visitor?.email ?? null) : null
}

/** The page with the one script that it has when it is the first after sign-in. */
function withFirstPage(html: string, email: string | null): string {
  if (email === null) return html
  return html.replace(end, () => `<script data-email="${encodeURIComponent(email)}">${firstPage}</script>${end}`)
}

/** Names the page's largest scripts before its first byte: on a slow line they come sooner than by the markup that names them. */
function preloads({ manifest }: EntryContext, nonce: string): string {
  return manifest.entry.imports.map((module) => `<${module}>; rel=modulepreload; nonce=${nonce}`).join(', ')
}

const stylesSource = hashSource(styles)
const firstPageSource = hashSource(firstPage)

interface Page {
  request: Request
  remixContext: EntryContext
  nonce: string | undefined
}

/** In one go, and with nothing that only scripts would read: most visits are to such pages. */
function renderWithoutScripts({ request, remixContext }: Page): string {
  const matched = remixContext.staticHandlerContext.matches.map(({ route }) => route.id)
  const { manifest } = remixContext
  const routes = Object.fromEntries(matched.map((id) => [id, manifest.routes[id]!]))
  const context = { ...remixContext, serverHandoffStream: undefined, manifest: { ...manifest, routes } }
  return (
    '<!DOCTYPE html>' +
    renderToStaticMarkup(
      <StylesContext.Provider value={styles}>
        <RemixServer context={context} url={request.url} />
      </StylesContext.Provider>,
    )
  )
}

/** Pages are small: sent in one piece they compress better than chunk by chunk, and an error while rendering has its status. */
async function renderWithScripts({ request, remixContext, nonce }: Page): Promise<string> {
  const failed: unknown[] = []
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
        failed.push(error)
      },
    },
  )
  await page.allReady
  const html = inOrder(await new Response(page).text())
  if (failed.length > 0) throw failed[0]
  return html
}

const end = '</body></html>'

/** What Remix writes behind the end of the document stands before it: browsers read it there in any case. */
function inOrder(html: string): string {
  const at = html.indexOf(end)
  return at < 0 ? html : html.slice(0, at) + html.slice(at + end.length) + end
}

export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (error instanceof ProviderError) context.outage = true
  // What the router itself says, of a verb that no page takes, is an answer, not a fault.
  if (!request.signal.aborted && !isRouteErrorResponse(error)) logError(context.requestId, error)
}
