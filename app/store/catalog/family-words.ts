import { families, shownFamilies, type Family } from './families'

/** Its products are shown beside the instruments that they fit. */
export function isOfCases(slug: string | null): boolean {
  return families.some((each) => each.isCases && each.slug === slug)
}

/** Such as `Strings, brass, woodwind and cases`: at most six. */
export function familiesInWords(): string {
  const names = shownFamilies().map(({ name }, nth) => (nth === 0 ? name : name.toLowerCase()))
  const said = names.length > 6 ? [...names.slice(0, 5), 'more'] : names
  return said.length > 1 ? `${said.slice(0, -1).join(', ')} and ${said.at(-1)}` : said.join('')
}

/** By its address or by one that it had before. */
export function findFamily(slug: string): Family | undefined {
  return families.find((each) => each.slug === slug) ?? families.find(({ former }) => former.includes(slug))
}
