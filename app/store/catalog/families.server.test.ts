import { sql } from 'drizzle-orm'
import { afterEach, expect } from 'vitest'
import { test } from '../../../tests/support/store'
import { inLanguage } from '../../i18n/language.server'
import { familyName, familyPath, setFamilies, shownFamilies } from './families'
import { familyField, familyWords, firstFamilies, parseFamilies, unknownFamily } from './families.server'
import { familiesInWords, findFamily, inSentence, isOfCases } from './family-words'
import { familyOptions, managedFamilyName } from './managed-families'

afterEach(() => setFamilies(firstFamilies))

const row = (slug: string, name: string, hidden = 0, cases = 0, former: string[] = []) => [
  slug,
  name,
  hidden,
  cases,
  former,
]
const take = (...rows: unknown[]) => setFamilies(parseFamilies(JSON.stringify(rows)))

test('reads the families of the database, and without any those of a new shop', () => {
  expect(parseFamilies('[]')).toBe(firstFamilies)
  expect(parseFamilies(JSON.stringify([row('bags', 'Gig bags', 1, 1, ['sacks'])]))).toEqual([
    { slug: 'bags', name: 'Gig bags', isHidden: true, isCases: true, former: ['sacks'] },
  ])
})

test('hides a family from visitors, and not from the shopkeeper', () => {
  take(row('folk', 'Folk'), row('bags', 'Gig bags', 1, 1))
  expect(shownFamilies().map(({ slug }) => slug)).toEqual(['folk'])
  expect([familyName('folk'), familyName('bags'), familyName(null), familyPath('folk')]).toEqual([
    ...['Folk', '', '', '/allInstruments?family=folk'],
  ])
  expect([managedFamilyName('bags'), managedFamilyName('lutes')]).toEqual(['Gig bags', ''])
  expect(familyOptions('All')).toEqual([
    { value: '', text: 'All' },
    { value: 'folk', text: 'Folk' },
    { value: 'bags', text: 'Gig bags (hidden)' },
  ])
  expect([isOfCases('bags'), isOfCases('folk'), isOfCases(null)]).toEqual([true, false, false])
})

test('names the families in a sentence, at most six of them', () => {
  expect(familiesInWords()).toBe('Strings, brass, woodwind and cases')
  take(row('folk', 'Folk'))
  expect(familiesInWords()).toBe('Folk')
  const seven = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].map((name) => row(name, name))
  take(...seven.slice(0, 6))
  expect(familiesInWords()).toBe('One, two, three, four, five and six')
  take(...seven)
  expect(familiesInWords()).toBe('One, two, three, four, five and more')
})

test('finds a family by its address, or one of before, and names the others to whoever has neither', () => {
  take(row('horns', 'Horns', 0, 0, ['brass']), row('brass-2', 'Old brass', 0, 0, ['horns']), row('folk', 'Folk'))
  expect(['horns', 'brass', 'lutes'].map((slug) => findFamily(slug)?.name)).toEqual(['Horns', 'Horns', undefined])
  expect(familyField.parse(' brass ')).toBe('horns')
  const errorOf = (value: unknown) => familyField.safeParse(value).error?.issues[0]?.message
  expect(errorOf('lutes')).toBe('There is no family “lutes”. Choose horns, brass-2 or folk.')
  expect(errorOf('x'.repeat(101))).toBe(`There is no family “${'x'.repeat(40)}”. Choose horns, brass-2 or folk.`)
  expect(errorOf(5)).toBe('Family must be text')
  take(row('horns', 'Horns'), row('folk', 'Folk'))
  expect(unknownFamily('folk')).toBe('There is no family “folk”. Choose horns.')
})

test('searches a family by the name that it has', async ({ shop }) => {
  for (const family of ['strings', 'brass', undefined]) await shop.sells({ family })
  const words = async () =>
    (await shop.deps.db.all<{ words: string | null }>(sql`SELECT ${familyWords()} AS words FROM instruments`)).map(
      (row) => row.words,
    )
  expect(await words()).toEqual(['strings', 'brass', null])
  take(row('strings', 'Strings'), row('brass', 'Horns'))
  expect(await words()).toEqual(['strings', 'Horns', null])
})

test('keeps the capital of a family within a German sentence', () => {
  expect([inSentence('Brass'), inLanguage('de', () => inSentence('Blechbläser'))]).toEqual(['brass', 'Blechbläser'])
})
