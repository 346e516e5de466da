import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare'
import { isRouteErrorResponse, RemixServer } from '@remix-run/react'
import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server.browser'
import { language, t } from './i18n/language'
import { isPublicPage } from './pages'
import { germanPrefix, localizeLinks } from './i18n/paths'
import accountOnly from './account.css?inline'
import publicStyles from './app.css?inline'
import deskOnly from './desk.css?inline'
import {
  contentSecurityPolicy,
  hashSource,
  restoresFields,
  savesData,
  savesDataHeaders,
} from './http/response/headers.server'
import { NonceContext } from './ui/nonce'
import { StylesContext } from './ui/layout/styles'
import { RestoresFieldsContext } from './ui/submission-id'
import { toastId, type ToastMessage } from './ui/toast'
import { ProviderError } from './store/deps'
import { isStaff } from './store/accounts/rights'
import type { Role } from './store/accounts/sign-in'
import { themeOf } from './store/settings/colors'
import { newSecret } from './store/shared/ids.server'
import { isOfAccount, wantsCardForm, wantsScripts } from './ui/layout/scripts'
import register from './browser/offline/register?inline-script'
import signOut from './browser/sign-out?inline-script'
import firstPage from './ui/layout/first-page?inline-script'
import passkey from './browser/passkey?inline-script'
import localTimes from './browser/local-times?inline-script'
import modalDialog from './browser/modal-dialog?inline-script'
import print from './browser/print?inline-script'
import selectAll from './browser/select-all?inline-script'

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
  const cardForm = wantsCardForm(routes)
  const nonce = wantsScripts(routes) && (cardForm || !savesData(request)) ? newSecret() : undefined
  const render = nonce === undefined ? renderWithoutScripts : renderWithScripts
  const audience = isOfStaff(remixContext) ? deskStyles : isOfAccount(routes) ? accountStyles : publicStyles
  const styles = audience + themeOf(context.settings)
  const rendered = await render({ request, remixContext: localized(remixContext), nonce, styles })
  const page = language() === 'en' ? rendered : localizeLinks(rendered)
  const isRead = isPublicPage(new URL(request.url).pathname) && context.config.OFFLINE_COPIES === 'on'
  const scripts =
    nonce === undefined ? inlineScripts(page, shopData(remixContext), { isRead, saves: savesData(request) }) : []
  const { toast } = (loaderData.root ?? {}) as { toast?: ToastMessage }
  const marked = status >= 400 ? markError(page) : toast && nonce === undefined ? markToast(page, toast) : page
  const html = withScripts(marked, scripts)
  // Remix drops the headers of loaders and actions. A page with a toast must not be cached: Back would show it again.
  for (const dataHeaders of [...Object.values(loaderHeaders), ...Object.values(actionHeaders)]) {
    const [retryAfter, cacheControl] = [dataHeaders.get('retry-after'), dataHeaders.get('cache-control')]
    if (retryAfter) headers.set('retry-after', retryAfter)
    if (cacheControl && !toast && !errors) headers.set('cache-control', cacheControl)
  }
  headers.set('content-type', 'text/html; charset=utf-8')
  for (const [name, value] of Object.entries(savesDataHeaders)) headers.append(name, value)
  headers.set(
    'content-security-policy',
    contentSecurityPolicy(context.config, {
      nonce,
      inline: scripts.map(({ source }) => source),
      cardForm,
      styles: sourceOf(styles),
      // The preview of an email.
      hasFrame: page.includes('<iframe '),
    }),
  )
  headers.set('cross-origin-opener-policy', 'same-origin')
  if (nonce) {
    headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')
    headers.set('link', preloads(remixContext, nonce))
  }
  return new Response(html, { status, headers })
}

/** In the browser, Remix finds the route of a page behind its prefix. */
function localized(remixContext: EntryContext): EntryContext {
  if (language() === 'en') return remixContext
  const { staticHandlerContext, serverHandoffString } = remixContext
  const { location } = staticHandlerContext
  const pathname = germanPrefix + location.pathname
  return {
    ...remixContext,
    serverHandoffString: serverHandoffString?.replace('"basename":"/"', `"basename":"${germanPrefix}"`),
    staticHandlerContext: { ...staticHandlerContext, basename: germanPrefix, location: { ...location, pathname } },
  }
}

/** Marks the title and focuses the first invalid field, else the message, for pages without scripts. */
function markError(html: string): string {
  const error = [' aria-invalid="true"', ' role="alert" tabindex="-1"'].find((mark) => html.includes(mark))
  if (!error) return html
  return html.replace(error, '$& autofocus=""').replace('<title>', `<title>${t('Error:')} `)
}

/**
 * Most screen readers say nothing of a `status` that is there when the page arrives. They read the title, and what has the focus: the
 * heading, as after a form that was sent by script. It stays when the toast leaves.
 */
function markToast(html: string, { message }: ToastMessage): string {
  const title = renderToStaticMarkup(message)
  return html
    .replace('<title>', () => `<title>${title} · `)
    .replace('<h1', `$& tabindex="-1" autofocus="" aria-describedby="${toastId}"`)
}

/** The pages of the dashboard, for who works in the shop: nobody else needs the styles of the desk. */
function isOfStaff(context: EntryContext): boolean {
  const isDashboard = context.staticHandlerContext.matches.some(({ route }) => route.id === 'routes/dashboard/layout')
  return isDashboard && isStaff(shopData(context)?.user)
}

interface ShopData {
  isFirst: boolean
  hasSignedOut: boolean
  user: { email: string; role: Role } | null
}

function shopData({ staticHandlerContext: { loaderData } }: EntryContext): ShopData | undefined {
  return loaderData.root as ShopData | undefined
}

interface InlineScript {
  text: string
  source: string
  data?: string
}

/** Some hundred bytes, on pages that have no other scripts. */
function inlineScripts(
  html: string,
  shop: ShopData | undefined,
  { isRead, saves }: { isRead: boolean; saves: boolean },
): InlineScript[] {
  const scripts: InlineScript[] = []
  if (shop?.hasSignedOut) scripts.push({ text: signOut, source: signOutSource })
  if (saves) return scripts
  if (shop?.isFirst && shop.user) {
    const data = ` data-email="${encodeURIComponent(shop.user.email)}"`
    scripts.push({ text: firstPage, source: firstPageSource, data })
  }
  scripts.push(...scriptsOfMarkup.filter(({ markup }) => html.includes(markup)))
  if (isRead) scripts.push({ text: register, source: registerSource })
  return scripts
}

function withScripts(html: string, scripts: InlineScript[]): string {
  const tags = scripts.map(({ text, data = '' }) => `<script${data}>${text}</script>`).join('')
  return tags ? html.replace(end, () => tags + end) : html
}

/** As a header, the largest scripts start loading before the markup arrives. */
function preloads({ manifest }: EntryContext, nonce: string): string {
  return manifest.entry.imports.map((module) => `<${module}>; rel=modulepreload; nonce=${nonce}`).join(', ')
}

/** Public pages do not carry the others' styles. */
const accountStyles = publicStyles + accountOnly
const deskStyles = accountStyles + deskOnly
const sourceOfStyles = new Map<string, string>()

/** Hashed once for each audience; the colors of the settings may change some times in the life of an isolate. */
function sourceOf(styles: string): string {
  const known = sourceOfStyles.get(styles)
  if (known !== undefined) return known
  if (sourceOfStyles.size > 20) sourceOfStyles.clear()
  const source = hashSource(styles)
  sourceOfStyles.set(styles, source)
  return source
}

const firstPageSource = hashSource(firstPage)
const registerSource = hashSource(register)
const signOutSource = hashSource(signOut)
/** Each for the pages that have its markup. */
const scriptsOfMarkup = Object.entries({
  '<dialog ': modalDialog,
  ' data-select-all=': selectAll,
  ' data-print=': print,
  '<time ': localTimes,
  ' data-passkey=': passkey,
}).map(([markup, text]) => ({ markup, text, source: hashSource(text) }))

interface Page {
  request: Request
  remixContext: EntryContext
  nonce: string | undefined
  styles: string
}

/** A static render of the matched routes only: nothing is sent that only scripts would read. */
function renderWithoutScripts({ request, remixContext, styles }: Page): string {
  const matchedIds = remixContext.staticHandlerContext.matches.map(({ route }) => route.id)
  const { manifest } = remixContext
  const routes = Object.fromEntries(matchedIds.map((id) => [id, manifest.routes[id]!]))
  const context = { ...remixContext, serverHandoffStream: undefined, manifest: { ...manifest, routes } }
  return (
    '<!DOCTYPE html>' +
    renderToStaticMarkup(
      <StylesContext.Provider value={styles}>
        <RestoresFieldsContext.Provider value={restoresFields(request)}>
          <RemixServer context={context} url={request.url} />
        </RestoresFieldsContext.Provider>
      </StylesContext.Provider>,
    )
  )
}

/** Not streamed: one piece compresses better, and a rendering error still gets its status. */
async function renderWithScripts({ request, remixContext, nonce, styles }: Page): Promise<string> {
  const failures: unknown[] = []
  const page = await renderToReadableStream(
    <NonceContext.Provider value={nonce}>
      <StylesContext.Provider value={styles}>
        <RestoresFieldsContext.Provider value={restoresFields(request)}>
          <RemixServer context={remixContext} url={request.url} nonce={nonce} />
        </RestoresFieldsContext.Provider>
      </StylesContext.Provider>
    </NonceContext.Provider>,
    {
      nonce,
      signal: request.signal,
      onError(error: unknown) {
        failures.push(error)
      },
    },
  )
  await page.allReady
  const html = moveEndToEnd(await new Response(page).text())
  if (failures.length > 0) throw failures[0]
  return html
}

const end = '</body></html>'

/** Remix writes its last scripts after `</html>`, which is not valid. */
function moveEndToEnd(html: string): string {
  const at = html.indexOf(end)
  return at < 0 ? html : html.slice(0, at) + html.slice(at + end.length) + end
}

export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (error instanceof ProviderError) context.outage = true
  // The router's own error responses, such as a 405, are not faults.
  if (!request.signal.aborted && !isRouteErrorResponse(error)) context.fault ??= error
}
