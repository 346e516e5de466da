/** A page ships scripts only if one of its routes asks for them: `export const handle = { scripts: true }`. */
export interface RouteHandle {
  scripts?: boolean
}

/** Whether these matched routes make a page with scripts. */
export function wantsScripts(routes: ({ handle?: unknown } | undefined)[]): boolean {
  return routes.some((route) => (route?.handle as RouteHandle | undefined)?.scripts === true)
}
