export interface PlantedBug {
  name: string
  file: string
  /** Occurs exactly once in the file. */
  from: string
  to: string
  tests: string[]
}

type Bug = [name: string, from: string, to: string]

/** Bugs of one file. Without `tests`, the tests beside the file must catch them. */
export function inFile(file: string, tests: string[], ...bugs: Bug[]): PlantedBug[] {
  const own = [file.replace(/\.tsx?$/, '.test.ts')]
  return bugs.map(([name, from, to]) => ({ name, file, from, to, tests: tests.length > 0 ? tests : own }))
}
