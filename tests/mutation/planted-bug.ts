export interface PlantedBug {
  name: string
  file: string
  /** Occurs exactly once in the file. */
  from: string
  to: string
  tests: string[]
}

/** What is live. A migration may have been replaced by a later one: a bug in it would change nothing. */
export const schema = 'app/db/schema.sql'

/**
 * Bugs of one file: a name, and code around «what is there→what the bug makes of it».
 * Without `tests`, the tests beside the file must catch them.
 */
export function inFile(file: string, tests: string[], bugs: Record<string, string>): PlantedBug[] {
  const asked = tests.length > 0 ? tests : [file.replace(/\.tsx?$/, '.test.ts')]
  return Object.entries(bugs).map(([name, change]) => {
    const [, before, was, becomes, after] = /^([^«]*)«([^→]*)→([^»]*)»([^»]*)$/.exec(change)!
    return { name, file, from: `${before}${was}${after}`, to: `${before}${becomes}${after}`, tests: asked }
  })
}
