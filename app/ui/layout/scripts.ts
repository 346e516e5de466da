/** Pages have no scripts unless their route has `export const handle = { scripts: true }`. */
export interface RouteHandle {
  scripts?: boolean
  /** Has scripts under Save-Data too. Loaded as a document, so that its own Content-Security-Policy applies. */
  cardForm?: boolean
  /** Has the styles of account.css: a page that only its user sees. */
  account?: boolean
}

export function wantsScripts(routes: ({ handle?: unknown } | undefined)[]): boolean {
  return routes.some((route) => handleOf(route)?.scripts === true)
}

export function wantsCardForm(routes: ({ handle?: unknown } | undefined)[]): boolean {
  return routes.some((route) => handleOf(route)?.cardForm === true)
}

export function isOfAccount(routes: ({ handle?: unknown } | undefined)[]): boolean {
  return routes.some((route) => handleOf(route)?.account === true)
}

function handleOf(route: { handle?: unknown } | undefined): RouteHandle | undefined {
  return route?.handle as RouteHandle | undefined
}
