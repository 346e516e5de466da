import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { families, setFamilies, type Family } from './families'
import { findFamily } from './family-words'
import { cutText } from '../shared/text'

const family = (name: string, isCases = false): Family => ({
  ...{ slug: name.toLowerCase(), name, isCases },
  ...{ isHidden: false, former: [] },
})

/** R33: those of a new shop, as its migration stores them. */
export const firstFamilies = [family('Strings'), family('Brass'), family('Woodwind'), family('Cases', true)]

// Until the first answer of the database.
setFamilies(firstFamilies)

/** SQL: all families with their former addresses, as JSON: at most 20, so that it can go with each request to the database. */
export const familiesJson = `
  SELECT json_group_array(json_array(slug, name, hidden, cases, json(former)))
  FROM (SELECT slug, name, hidden, cases, former FROM families ORDER BY position, slug) AS all_families`

const Flag = z.number().transform((flag) => flag === 1)
const Rows = z.array(z.tuple([z.string(), z.string(), Flag, Flag, z.array(z.string())]))

/** What `familiesJson` has found. Without any, before the migration: those of a new shop. */
export function parseFamilies(text: string): Family[] {
  const found = Rows.parse(JSON.parse(text)).map(([slug, name, isHidden, isCases, former]) => ({
    ...{ slug, name, isHidden, isCases, former },
  }))
  return found.length > 0 ? found : firstFamilies
}

/** A family by its address, or by one that it had before. Refuses one that the shop does not have, by its name. */
export const familyField = z
  .string({ error: 'Family must be text' })
  .max(100, { error: ({ input }) => unknownFamily(input as string) })
  .transform((slug, context) => {
    const found = findFamily(slug.trim())
    if (found) return found.slug
    context.addIssue({ code: 'custom', message: unknownFamily(slug) })
    return z.NEVER
  })

export function unknownFamily(slug: string): string {
  const known = families.map((each) => each.slug).filter((each) => each !== slug)
  const choice = known.length > 1 ? `${known.slice(0, -1).join(', ')} or ${known.at(-1)}` : known[0]
  return `There is no family “${cutText(slug, 40)}”. Choose ${choice}.`
}

/** SQL: the name of the family of a row of `instruments`, as the search has it. */
export function familyWords(): SQL {
  const other = families.filter(({ slug, name }) => name.toLowerCase() !== slug)
  if (other.length === 0) return sql`family_slug`
  const cases = other.map(({ slug, name }) => sql`WHEN ${slug} THEN ${name}`)
  return sql`CASE family_slug ${sql.join(cases, sql` `)} ELSE family_slug END`
}
