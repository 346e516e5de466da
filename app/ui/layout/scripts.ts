/** A page ships scripts only if one of its routes asks for them: `export const handle = { scripts: true }`. */
export interface RouteHandle {
  scripts?: boolean
  /** The page holds Stripe's card form. It is always loaded as a whole, so that its own Content-Security-Policy counts. */
  cardForm?: boolean
}

/** Whether these matched routes make a page with scripts. */
export function wantsScripts(routes: ({ handle?: unknown } | undefined)[]): boolean {
  return routes.some((route) => handleOf(route)?.scripts === true)
}

export function wantsCardForm(routes: ({ handle?: unknown } | undefined)[]): boolean {
  return routes.some((route) => handleOf(route)?.cardForm === true)
}

function handleOf(route: { handle?: unknown } | undefined): RouteHandle | undefined {
  return route?.handle as RouteHandle | undefined
}
