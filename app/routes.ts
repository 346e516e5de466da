import { index, layout, prefix, route, type RouteConfig } from '@remix-run/route-config'
import { apiPaths } from './http/program-paths'

export default [
  // The shop window: open to all, no scripts.
  index('routes/home.tsx', { id: 'index' }),
  route('home', 'routes/home.tsx', { id: 'home' }),
  route('allInstruments', 'routes/all-instruments.tsx'),
  route('instruments/:id', 'routes/instrument.tsx'),
  route('reviews', 'routes/reviews.tsx'),

  // Who you are.
  route('login', 'routes/auth/login.tsx'),
  route('register', 'routes/auth/register.tsx'),
  route('auth/google', 'routes/auth/google.ts'),
  route('auth/google/callback', 'routes/auth/google-callback.ts'),
  route('forgot-password', 'routes/auth/forgot-password.tsx'),
  route('reset-password', 'routes/auth/reset-password.tsx'),
  route('verify-email', 'routes/auth/verify-email.tsx'),
  route('sign-out', 'routes/auth/sign-out.ts'),
  route('clear-cache', 'routes/auth/clear-cache.ts'),

  // What is yours, and the shopkeeper's desk.
  layout('routes/dashboard/layout.tsx', [
    ...prefix('dashboard', [
      index('routes/dashboard/index.tsx'),
      route('addReview', 'routes/dashboard/add-review.tsx'),
      route('myProfile', 'routes/dashboard/my-profile.tsx'),
      route('myProfile/sessions', 'routes/dashboard/sessions.tsx'),
      route('makeAdmin', 'routes/dashboard/make-admin.tsx'),
      route('addProduct', 'routes/dashboard/add-product.tsx'),
      route('manageProduct', 'routes/dashboard/manage-product.tsx'),
      route('manageProduct/:id', 'routes/dashboard/edit-product.tsx'),
      route('manageOrders', 'routes/dashboard/manage-orders.tsx'),
      route('manageOrders/:id', 'routes/dashboard/order-history.tsx'),
      route('myOrders', 'routes/dashboard/my-orders.tsx'),
      route('myOrders/payment/:id', 'routes/dashboard/payment.tsx'),
      route('myOrders/receipt/:id', 'routes/dashboard/receipt.tsx'),
    ]),
  ]),

  // The specified calls, for programs.
  route('instruments', 'routes/api/instruments.ts'),
  // GET /instruments/{id} and /reviews are pages for browsers: http/negotiate.server.ts sends programs to these.
  route('__api/instruments/:id', 'routes/api/instrument.ts'),
  route('order', 'routes/api/orders.ts'),
  route('order/:id', 'routes/api/order.ts'),
  route('create-payment-intent', 'routes/api/payment-intent.ts'),
  route('__api/reviews', 'routes/api/reviews.ts'),
  route('user', 'routes/api/users.ts'),
  route('user/:email', 'routes/api/user-token.ts'),
  route('user/admin/:email', 'routes/api/user-admin.ts'),
  route('admin/:email', 'routes/api/admin-flag.ts'),
  route('update/:email', 'routes/api/update.ts'),
  route('openapi.json', 'routes/api/openapi.ts'),
  ...apiPaths.map((path) => route(`${path}/*`, 'routes/api/nothing.ts', { id: `${path}-nothing` })),

  // For machines.
  route('webhooks/stripe', 'routes/webhooks/stripe.ts'),
  route('speculation-rules.json', 'routes/speculation-rules.ts'),
  route('healthz', 'routes/healthz.ts'),

  route('turned-away', 'routes/turned-away.tsx'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
