import type { Deps } from '../../store/deps'
import { readFooter } from '../../store/pages/footer.server'
import type { FooterLink } from '../../store/pages/pages'

/** Milliseconds: a page that reads nothing else, such as one that is not found, must not cost a query each. */
const longest = 1000

const copies = new Map<string, { links: FooterLink[]; readAt: number }>()
let changedAt = 0

/** In this isolate. */
export function invalidateFooter(): void {
  changedAt = Date.now()
}

interface FooterDeps extends Pick<Deps, 'db'> {
  config: { DATABASE_URL: string; EDGE_CACHE_SECONDS: number }
}

/** Never throws: a page of errors has a footer too. */
export async function footerLinks(deps: FooterDeps): Promise<FooterLink[]> {
  const { DATABASE_URL: key, EDGE_CACHE_SECONDS: cacheSeconds } = deps.config
  const copy = copies.get(key)
  const readAt = Date.now()
  if (copy && copy.readAt > changedAt && readAt - copy.readAt < Math.min(longest, cacheSeconds * 1000))
    return copy.links
  try {
    const links = await readFooter(deps)
    copies.set(key, { links, readAt })
    return links
  } catch {
    return copy?.links ?? []
  }
}
