import { data, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react'
import { useContext, useEffect, type ReactNode } from 'react'
import { takeFirstPage, takeSignedOut } from './http/auth/session.server'
import { savesData } from './http/response/headers.server'
import { takeToast } from './http/response/toast.server'
import { storeAccessToken } from './browser/access-token'
import { useFocusAfterForms } from './browser/focus'
import { NonceContext } from './ui/nonce'
import { NotFound } from './ui/layout/not-found'
import { PageHeader } from './ui/layout/page-header'
import { ProgressBar } from './ui/progress-bar'
import { SiteFooter } from './ui/layout/site-footer'
import { logoHeight, SiteHeader } from './ui/layout/site-header'
import { useStyles } from './ui/layout/styles'
import { readLogoAddress } from './store/catalog/pictures/pictures'
import type { Settings } from './store/settings/settings'
import { Toast } from './ui/toast'
import { Unsent } from './ui/orders/unsent'
import { families, setFamilies } from './store/catalog/families'
import { defaultWords, setShopName, shopName, tagline } from './shop-name'
import { language, t } from './i18n/language'
import { monthOf, setTimeZone, timeZone } from './store/shared/dates'
import { translate } from './i18n/translate'
import { inBothLanguages } from './i18n/alternates.server'

export const links: LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/touch-icon.png' },
]

export const meta: MetaFunction<typeof loader> = ({ error, data }) => {
  if (!error) return [{ title: `${shopName}: ${data?.words.tagline ?? tagline}` }]
  const isLost = isRouteErrorResponse(error) && isNotFound(error.status)
  return [{ title: `${isLost ? t('Page not found') : t('Something went wrong')} · ${shopName}` }]
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [
    user,
    { toast, headers },
    { isFirst, clearCookie: clearFirstPage },
    { hasSignedOut, clearCookie: clearSignedOut },
  ] = await Promise.all([
    context.user(),
    takeToast(request, context),
    // Under Save-Data, the first page that may have scripts.
    savesData(request) ? { isFirst: false, clearCookie: undefined } : takeFirstPage(request, context.origin),
    takeSignedOut(request, context.origin),
  ])
  if (clearFirstPage) headers.append('set-cookie', clearFirstPage)
  if (clearSignedOut) headers.append('set-cookie', clearSignedOut)
  return data(
    {
      user: user && { name: user.name, email: user.email, role: user.role },
      isFirst,
      hasSignedOut,
      toast,
      year: Math.floor(monthOf(context.now()) / 12),
      timeZone,
      logo: logoOf(context.settings.logo),
      // The card shows the name of the demo shop.
      card: context.settings.name === defaultWords.name ? '/social-card.png' : '/touch-icon.png',
      families,
      words: { name: context.settings.name, tagline: translate(context.settings.tagline) },
      addresses: addressesOf(context.settings),
      origin: context.origin,
      footer: context.footer,
      ...(context.settings.secondLanguage === 'de'
        ? inBothLanguages(request, context.origin)
        : { other: null, alternates: [] }),
    },
    { headers },
  )
}

function logoOf(address: string) {
  const logo = readLogoAddress(address)
  return logo && { src: logo.small, width: Math.round((logoHeight * logo.width) / logo.height) }
}

/** Networks without an address stand there without a link, as specified. */
function addressesOf({ profile, facebook, youtube, instagram }: Settings) {
  return { profile, networks: { Facebook: facebook, YouTube: youtube, Instagram: instagram } }
}

export function Layout({ children }: { children: ReactNode }) {
  const shop = useRouteLoaderData<typeof loader>('root')
  // The bundle of the browser has name, families and time zone of no shop.
  if (shop && typeof document !== 'undefined') {
    setShopName(shop.words)
    setFamilies(shop.families)
    setTimeZone(shop.timeZone)
  }
  const nonce = useContext(NonceContext)
  // In the browser there is no nonce, and only a page with scripts gets here.
  const scripts = nonce !== undefined || typeof document !== 'undefined'
  const { pathname, search } = useLocation()
  const { state } = useNavigation()
  const email = shop?.user?.email
  const error = useRouteError()
  // Nothing leads away from what is to be paid but the brand.
  const isCheckout = useRouteLoaderData<{ isCheckout?: boolean }>('routes/account/payment')?.isCheckout
  useEffect(() => (email ? storeAccessToken(email) : undefined), [email])
  useFocusAfterForms()
  return (
    <html lang={language()}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <meta property="og:site_name" content={shopName} />
        {shop && <meta property="og:image" content={shop.origin + shop.card} />}
        <Links />
        {!error &&
          shop?.alternates.map(([code, address]) => <link key={code} rel="alternate" hrefLang={code} href={address} />)}
        <style dangerouslySetInnerHTML={{ __html: useStyles() }} />
      </head>
      <body>
        <ProgressBar busy={state !== 'idle'} />
        <SiteHeader
          user={shop?.user ?? null}
          logo={shop?.logo}
          path={pathname}
          search={search}
          isCheckout={isCheckout}
        />
        <Toast toast={shop?.toast} />
        <main id="main">
          {scripts && email && <Unsent part="UnsentOrders" email={email} path={pathname} />}
          {children}
        </main>
        {shop && !isCheckout && (
          <SiteFooter year={shop.year} links={shop.footer} other={!error ? shop.other : null} {...shop.addresses} />
        )}
        {shop?.hasSignedOut && <img src="/clear-cache" alt="" hidden />}
        {scripts && <ScrollRestoration nonce={nonce} />}
        {scripts && <Scripts nonce={nonce} />}
      </body>
    </html>
  )
}

export default function App() {
  return <Outlet />
}

export function ErrorBoundary() {
  const error = useRouteError()
  if (!isRouteErrorResponse(error)) return <OutOfOrder />
  if (isNotFound(error.status)) return <NotFound />
  return (
    <PageHeader title={t('Something went wrong')} lead={reasonOf(error.status)}>
      <p>
        <a href="/home">{t('Back to the home page')}</a>
      </p>
    </PageHeader>
  )
}

/** Or not any more. */
function isNotFound(status: number): boolean {
  return status === 404 || status === 410
}

function reasonOf(status: number): string {
  const reasons: Partial<Record<number, string>> = {
    400: t('We could not read this form. Go back, reload the page and try again.'),
    403: t(
      'This request did not come from our shop, so nothing was changed. If you filled in a form here, go back, reload the page and send it again.',
    ),
    405: t('You cannot send anything to this address.'),
    413: t('That is too long. Go back and shorten it.'),
    415: t('This page only accepts forms.'),
  }
  return reasons[status] ?? t('We could not understand that request.')
}

function OutOfOrder() {
  return (
    <PageHeader title={t('Something went wrong')} lead={t('The fault is on our side. Please try again in a minute.')}>
      <p>{t('Reload this page, or go back and send the form again.')}</p>
    </PageHeader>
  )
}
