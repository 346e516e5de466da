import type { Path } from './routes'

/**
 * The same for everybody without a cookie: cached (decision 15), in English and German, with the parameters that each reads; any other makes
 * no difference, and no rendering.
 */
export const publicPages = {
  '/': ['send'],
  '/home': ['send'],
  '/allInstruments': ['q', 'level', 'min', 'max', 'inStock', 'sort', 'page'],
  '/catalog/:slug': ['quantity'],
  '/reviews': ['about', 'before'],
  '/pages/:slug': [],
} satisfies Partial<Record<Path, readonly string[]>>

/** Cached too, where no parameter is typed. Nobody reads them: browsers keep no copy for a time without a connection. */
export const publicForms = ['/login', '/register', '/forgot-password'] satisfies Path[]

/** In German too, but each for one visitor. All others are English alone: the desk, files and the JSON API. */
export const ownPages = [
  ...(['/compare', '/instruments/:id', '/login/code', '/login/confirm', '/login/passkey', '/reset-password'] as const),
  ...(['/verify-email', '/sign-out', '/auth/google', '/dashboard', '/dashboard/addReview'] as const),
  ...(['/dashboard/myOrders', '/dashboard/myOrders/:id', '/dashboard/myOrders/payment/:id'] as const),
  ...(['/dashboard/myOrders/receipt/:id', '/dashboard/myOrders/invoice/:id/:creditNote?'] as const),
  ...(['/dashboard/myProfile', '/dashboard/myProfile/sessions', '/dashboard/myProfile/passkey'] as const),
  ...(['/dashboard/myProfile/secondFactor', '/dashboard/myProfile/data'] as const),
  ...(['/dashboard/myProfile/data/close', '/dashboard/wishes'] as const),
  ...(['/dashboard/quotes', '/dashboard/quotes/new', '/dashboard/quotes/:id'] as const),
] satisfies Path[]

/** The source of a regular expression. */
export function patternOf(paths: string[]): string {
  return `(${paths
    .join('|')
    .replace(/\/:\w+\?/g, '(/[^/?]+)?')
    .replace(/:\w+/g, '[^/?]+')})`
}

const publicPath = new RegExp(`^${patternOf(Object.keys(publicPages))}$`)

export function isPublicPage(path: string): boolean {
  return publicPath.test(path)
}
