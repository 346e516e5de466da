import { pathTo } from '../../path-to'

/** The words of the footer (spec section 2). One is a link once a page is published under it (R57). */
export const footerColumns = [
  { title: 'Services', items: ['Branding', 'Design', 'Marketing', 'Advertisement'] },
  { title: 'Company', items: ['About us', 'Contact', 'Jobs', 'Press kit'] },
  { title: 'Legal', items: ['Terms of use', 'Privacy policy', 'Cookie policy'] },
] as const

export const footerWords: readonly string[] = footerColumns.flatMap(({ items }) => [...items])

/** A page of the footer under its own title, below the legal ones. */
export const underOwnTitle = 'own'

/** A link of the footer: `word` is one of the specification, or the title of the page if it stands under that. */
export interface FooterLink {
  word: string
  path: string
}

export const pagePath = (slug: string) => pathTo('/pages/:slug', { slug })

/** Of the text of a page, in characters. */
export const maxPageText = 50_000
export const maxPages = 100
