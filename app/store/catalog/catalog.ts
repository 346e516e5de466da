import { familyName, familyPath } from './families'
import { t } from '../../i18n/language'
import { pathTo } from '../../path-to'
import { cutText } from '../shared/text'

/** What is on sale in the whole shop, by family: an index of 10,000 instruments is counted in half a millisecond. */
export interface Counts {
  withoutFamily: number
  [slug: string]: number
}

export const sorts = ['name', 'price', 'newest'] as const
export type Sort = (typeof sorts)[number]

/** Instruments side by side. */
export const mostCompared = 4

export function comparePath(ids: string[]): string {
  return `/compare?ids=${ids.map(encodeURIComponent).join(',')}`
}

/** The public page (R44). An id leads to it too. */
export function catalogPath({ slug }: { slug: string }): string {
  return pathTo('/catalog/:slug', { slug })
}

/** Where customers order it. */
export const purchasePath = (id: string) => pathTo('/instruments/:id', { id })

/** From the list to the instrument itself. */
export function breadcrumb(instrument: { name: string; family: string | null; slug: string }) {
  const { name, family } = instrument
  return [
    { name: t('All instruments'), path: '/allInstruments' },
    ...(family && familyName(family) ? [{ name: familyName(family), path: familyPath(family) }] : []),
    { name, path: catalogPath(instrument) },
  ]
}

/** Letters that NFKD does not decompose into one of a to z. */
const latin: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' }

/** Such as `horn-in-f` for 'Horn in F'. The migration 0013 makes those of older instruments. */
export function slugOf(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđ]/g, (letter) => latin[letter]!)
  return ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}

/** At most `length` characters of a text, to the end of a word. */
export function firstWords(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= length ? line : `${cutText(line, length).replace(/[,;:.]* \S*$/, '')}…`
}
