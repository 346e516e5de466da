import { index, layout, prefix, route, type RouteConfig } from '@remix-run/route-config'
import { apiSegments } from './http/api-paths'

export default [
  index('routes/home.tsx', { id: 'index' }),
  route('home', 'routes/home.tsx', { id: 'home' }),
  route('allInstruments', 'routes/all-instruments.tsx'),
  route('catalog/:slug', 'routes/catalog.tsx'),
  route('instruments/:id', 'routes/instrument.tsx'),
  route('reviews', 'routes/reviews.tsx'),
  route('verify', 'routes/verify.tsx', { id: 'verify' }),
  route('verify/:code', 'routes/verify.tsx', { id: 'verify-code' }),
  route('pictures/:picture/:file', 'routes/pictures.ts'),

  route('login', 'routes/auth/login.tsx'),
  route('register', 'routes/auth/register.tsx'),
  route('auth/google', 'routes/auth/google.ts'),
  route('auth/google/callback', 'routes/auth/google-callback.ts'),
  route('forgot-password', 'routes/auth/forgot-password.tsx'),
  route('login/confirm', 'routes/auth/confirm.tsx'),
  route('login/code', 'routes/auth/code.tsx'),
  route('reset-password', 'routes/auth/reset-password.tsx'),
  route('verify-email', 'routes/auth/verify-email.tsx'),
  route('unsubscribe', 'routes/unsubscribe.tsx'),
  route('sign-out', 'routes/auth/sign-out.ts'),
  route('clear-cache', 'routes/auth/clear-cache.ts'),

  layout('routes/dashboard/layout.tsx', [
    ...prefix('dashboard', [
      index('routes/dashboard/index.tsx'),
      route('addReview', 'routes/account/add-review.tsx'),
      route('myProfile', 'routes/account/my-profile.tsx'),
      route('myProfile/sessions', 'routes/account/sessions.tsx'),
      route('myProfile/secondFactor', 'routes/account/second-factor.tsx'),
      route('wishes', 'routes/account/wishes.tsx'),
      route('quotes', 'routes/account/quotes.tsx'),
      route('quotes/new', 'routes/account/ask-for-price.tsx'),
      route('quotes/:id', 'routes/account/quote.tsx'),
      route('myProfile/data', 'routes/account/my-data.tsx'),
      route('myProfile/data/close', 'routes/account/close-account.tsx'),
      route('makeAdmin', 'routes/admin/make-admin.tsx'),
      route('makeAdmin/:id', 'routes/admin/user.tsx'),
      route('addProduct', 'routes/admin/add-product.tsx'),
      route('manageProduct', 'routes/admin/manage-product.tsx'),
      route('manageProduct/import', 'routes/admin/import-products.tsx'),
      route('manageProduct/:id', 'routes/admin/edit-product.tsx'),
      route('manageProduct/:id/history', 'routes/admin/product-history.tsx'),
      route('manageProduct.csv', 'routes/admin/export-products.ts'),
      route('manageOrders', 'routes/admin/manage-orders.tsx'),
      route('manageOrders/:id', 'routes/admin/manage-order.tsx'),
      route('manageOrders/:id/packingSlip', 'routes/admin/packing-slip.tsx'),
      route('shopEmails', 'routes/admin/shop-emails.tsx'),
      route('messages', 'routes/admin/messages.tsx'),
      route('manageQuotes', 'routes/admin/manage-quotes.tsx'),
      route('manageQuotes/:id', 'routes/admin/answer-quote.tsx'),
      route('reviews', 'routes/admin/moderate-reviews.tsx'),
      route('myOrders', 'routes/account/my-orders.tsx'),
      route('myOrders/:id', 'routes/account/my-order.tsx'),
      route('myOrders/payment/:id', 'routes/account/payment.tsx'),
      route('myOrders/receipt/:id', 'routes/account/receipt.tsx'),
      route('myOrders/invoice/:id/:creditNote?', 'routes/account/invoice.tsx'),
    ]),
  ]),

  route('dashboard/myProfile/data.json', 'routes/account/own-data.ts'),
  route('dashboard/manageOrders.csv', 'routes/admin/export-orders.ts'),

  // The JSON API: app/api/endpoints declares its paths. /instruments/{id} and /reviews are pages for browsers, so
  // http/negotiate.server.ts sends API clients to __api.
  ...[...apiSegments, '__api'].map((segment) => route(`${segment}/*`, 'routes/api/endpoint.ts', { id: segment })),
  route('robots.txt', 'routes/feeds/robots.ts'),
  route('sitemap.xml', 'routes/feeds/sitemap.ts'),
  route('feed.xml', 'routes/feeds/atom.ts'),
  route('merchant.xml', 'routes/feeds/merchant.ts'),
  route('openapi.json', 'routes/api/openapi.ts'),

  route('webhooks/stripe', 'routes/webhooks/stripe.ts'),
  // http/cache/page-cache.server.ts answers /dictionary.
  route('speculation-rules.json', 'routes/speculation-rules.ts'),
  route('healthz', 'routes/healthz.ts'),

  route('turned-away', 'routes/forbidden.tsx'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
