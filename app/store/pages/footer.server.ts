import { z } from 'zod'
import { alongside } from '../../db/open.server'
import type { Deps } from '../deps'
import { pagePath, underOwnTitle, type FooterLink } from './pages'

/** At most `maxPages` rows, and those without a place in the footer are not in its index. */
const selectLinks = `
  SELECT footer, slug, published_title AS title FROM pages
  WHERE published_at IS NOT NULL AND footer <> '' ORDER BY published_title`

const Row = z.object({ footer: z.string(), slug: z.string(), title: z.string() })

/** The published pages that the footer links. They travel with another read of the same request: no round trip of their own. */
export async function readFooter({ db }: Pick<Deps, 'db'>): Promise<FooterLink[]> {
  const { rows } = await alongside(db, selectLinks)
  return z
    .array(Row)
    .parse(rows)
    .map(({ footer, slug, title }) => ({ word: footer === underOwnTitle ? title : footer, path: pagePath(slug) }))
}
