import { families, shownFamilies, type Family } from './families'
import { t, language } from '../../i18n/language'

/** Its products are shown beside the instruments that they fit. */
export function isOfCases(slug: string | null): boolean {
  return families.some((each) => each.isCases && each.slug === slug)
}

/** Such as `Strings, brass, woodwind and cases`: at most six. */
export function familiesInWords(): string {
  const names = shownFamilies().map(({ name }, nth) => (nth === 0 ? name : inSentence(name)))
  const said = names.length > 6 ? [...names.slice(0, 5), t('more')] : names
  return said.length > 1
    ? t('{others} and {last}', { others: said.slice(0, -1).join(', '), last: said.at(-1)! })
    : said.join('')
}

/** German nouns keep their capital. */
export function inSentence(name: string): string {
  return language() === 'de' ? name : name.toLowerCase()
}

/** By its address or by one that it had before. */
export function findFamily(slug: string): Family | undefined {
  return families.find((each) => each.slug === slug) ?? families.find(({ former }) => former.includes(slug))
}
