import { z } from 'zod'
import { compareNames } from '../shared/folding'
import { pagePath, underOwnTitle, type FooterLink } from './pages'

/** SQL: the published pages that the footer links, as JSON. At most `maxPages` rows; those without a place in the footer are not in its index. */
export const footerJson = `
  SELECT json_group_array(json_array(footer, slug, published_title)) FROM (
    SELECT footer, slug, published_title FROM pages WHERE published_at IS NOT NULL AND footer <> '')`

const Rows = z.array(z.tuple([z.string(), z.string(), z.string()]))

/** What `footerJson` has found. */
export function parseFooter(text: string): FooterLink[] {
  const rows = Rows.parse(JSON.parse(text)).sort(([, , one], [, , other]) => compareNames(one, other))
  return rows.map(([footer, slug, title]) => ({
    word: footer === underOwnTitle ? title : footer,
    path: pagePath(slug),
  }))
}
