export interface Family {
  /** In URLs, JSON and CSV. */
  slug: string
  name: string
  /** Not in menus, filters and the sitemap. Its instruments stay on sale. */
  isHidden: boolean
  /** Cases, which are shown beside the instruments that they fit. */
  isCases: boolean
  /** Addresses that it had before. */
  former: string[]
}

/** As the shop has them today, in its order (decision 51). A live binding, like the name of the shop in `shop-name.ts`. A browser gets them with the page. */
export let families: Family[] = []

export function setFamilies(current: Family[]): void {
  families = current
}

export function shownFamilies(): Family[] {
  return families.filter(({ isHidden }) => !isHidden)
}

/** What visitors read. Empty: no family, or a hidden one. */
export function familyName(slug: string | null): string {
  return shownFamilies().find((each) => each.slug === slug)?.name ?? ''
}

export function familyPath(slug: string): string {
  return `/allInstruments?family=${slug}`
}
