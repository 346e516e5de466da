import { index, layout, prefix, route, type RouteConfig } from '@remix-run/route-config'

/** The file of each path, in `routes/`. */
const files = {
  '/home': 'home.tsx',
  '/allInstruments': 'all-instruments.tsx',
  '/catalog/:slug': 'catalog.tsx',
  '/compare': 'compare.tsx',
  '/instruments/:id': 'instrument.tsx',
  '/reviews': 'reviews.tsx',
  '/pages/:slug': 'page.tsx',
  '/pictures/:picture/:file': 'pictures.ts',

  '/login': 'auth/login.tsx',
  '/register': 'auth/register.tsx',
  '/auth/google': 'auth/google.ts',
  '/auth/google/callback': 'auth/google-callback.ts',
  '/forgot-password': 'auth/forgot-password.tsx',
  '/login/confirm': 'auth/confirm.tsx',
  '/login/code': 'auth/code.tsx',
  '/login/passkey': 'auth/passkey.ts',
  '/reset-password': 'auth/reset-password.tsx',
  '/verify-email': 'auth/verify-email.tsx',
  '/unsubscribe': 'unsubscribe.tsx',
  '/sign-out': 'auth/sign-out.ts',
  '/clear-cache': 'auth/clear-cache.ts',

  // Without the menu: nothing leads away from the payment.
  '/dashboard/myOrders/payment/:id': 'account/payment.tsx',
  '/dashboard/myProfile/data.json': 'account/own-data.ts',
  '/dashboard/manageOrders.csv': 'admin/export-orders.ts',
  '/dashboard/export.zip': 'admin/export-everything.ts',
  '/dashboard/reports.csv': 'admin/export-report.ts',

  '/robots.txt': 'feeds/robots.ts',
  '/sitemap.xml': 'feeds/sitemap.ts',
  '/feed.xml': 'feeds/atom.ts',
  '/merchant.xml': 'feeds/merchant.ts',
  '/catalog.html': 'feeds/catalog-file.ts',
  '/openapi.json': 'api/openapi.ts',

  '/webhooks/stripe': 'webhooks/stripe.ts',
  // http/cache/extras.server.ts answers /dictionary and /speculation-rules.json.
  '/sw.js': 'sw.ts',
  '/healthz': 'healthz.ts',
  '/forbidden': 'forbidden.tsx',
} as const

/** With the menu of the dashboard. */
const filesOfDashboard = {
  '/dashboard/addReview': 'account/add-review.tsx',
  '/dashboard/myProfile': 'account/my-profile.tsx',
  '/dashboard/myProfile/sessions': 'account/sessions.tsx',
  '/dashboard/myProfile/secondFactor': 'account/second-factor.tsx',
  '/dashboard/wishes': 'account/wishes.tsx',
  '/dashboard/quotes': 'account/quotes.tsx',
  '/dashboard/quotes/new': 'account/ask-for-price.tsx',
  '/dashboard/quotes/:id': 'account/quote.tsx',
  '/dashboard/myProfile/passkey': 'account/add-passkey.tsx',
  '/dashboard/myProfile/data': 'account/my-data.tsx',
  '/dashboard/myProfile/data/close': 'account/close-account.tsx',
  '/dashboard/makeAdmin': 'admin/make-admin.tsx',
  '/dashboard/makeAdmin/:id': 'admin/user.tsx',
  '/dashboard/addProduct': 'admin/add-product.tsx',
  '/dashboard/manageProduct': 'admin/manage-product.tsx',
  '/dashboard/manageProduct/import': 'admin/import-products.tsx',
  '/dashboard/manageProduct/pictures': 'admin/copy-pictures.tsx',
  '/dashboard/manageProduct/several': 'admin/change-several.tsx',
  '/dashboard/manageProduct/:id': 'admin/edit-product.tsx',
  '/dashboard/manageProduct/:id/history': 'admin/product-history.tsx',
  '/dashboard/manageProduct.csv': 'admin/export-products.ts',
  '/dashboard/manageOrders': 'admin/manage-orders.tsx',
  '/dashboard/manageOrders/packingSlips': 'admin/packing-slips.tsx',
  '/dashboard/manageOrders/pickingList': 'admin/picking-list.tsx',
  '/dashboard/manageOrders/:id': 'admin/manage-order.tsx',
  '/dashboard/manageOrders/:id/refund': 'admin/refund-order.tsx',
  '/dashboard/manageOrders/:id/packingSlip': 'admin/packing-slip.tsx',
  '/dashboard/settings/keys': 'admin/api-keys.tsx',
  '/dashboard/settings/webhooks': 'admin/webhooks.tsx',
  '/dashboard/reports': 'admin/reports.tsx',
  '/dashboard/problems': 'admin/problems.tsx',
  '/dashboard/settings/discounts': 'admin/discounts.tsx',
  '/dashboard/settings/families': 'admin/families.tsx',
  '/dashboard/settings/families/:id': 'admin/edit-family.tsx',
  '/dashboard/settings/emails': 'admin/emails.tsx',
  '/dashboard/settings/emails/:id': 'admin/edit-email.tsx',
  '/dashboard/settings/pages': 'admin/pages.tsx',
  '/dashboard/settings/pages/:id': 'admin/edit-page.tsx',
  '/dashboard/shopEmails': 'admin/shop-emails.tsx',
  '/dashboard/settings': 'admin/settings.tsx',
  '/dashboard/messages': 'admin/messages.tsx',
  '/dashboard/manageQuotes': 'admin/manage-quotes.tsx',
  '/dashboard/manageQuotes/:id': 'admin/answer-quote.tsx',
  '/dashboard/reviews': 'admin/moderate-reviews.tsx',
  '/dashboard/myOrders': 'account/my-orders.tsx',
  '/dashboard/myOrders/:id': 'account/my-order.tsx',
  '/dashboard/myOrders/receipt/:id': 'account/receipt.tsx',
  '/dashboard/myOrders/invoice/:id/:creditNote?': 'account/invoice.tsx',
} as const

export type Path = '/' | '/dashboard' | keyof typeof files | keyof typeof filesOfDashboard

const toRoute = ([path, file]: [string, string]) => route(path.slice(1), `routes/${file}`)

export default [
  index('routes/home.tsx', { id: 'index' }),
  ...Object.entries(files).map(toRoute),
  layout('routes/dashboard/layout.tsx', [
    ...prefix('dashboard', [index('routes/dashboard/index.tsx')]),
    ...Object.entries(filesOfDashboard).map(toRoute),
  ]),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
