import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import routes from '../../app/routes'
import { readImports } from '../../dev/imports'

interface Route {
  path?: string
  file: string
  children?: Route[]
}

export interface Affected {
  /** Tests in this process that import a changed file, and changed tests. */
  unit: string[]
  /** Tests of the built shop, and browser tests, that open an affected page most often. */
  pages: string[]
  browser: string[]
  /** Paths whose pages a change may alter; null: of so many that only the whole check tells. */
  paths: string[] | null
}

/** Above it a change is everywhere, and the tests that open its pages are nearly all. */
const fewRoutes = 6

/** Files that differ from `base` (a commit), or are new. */
export function changedFiles(base: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
  return [...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')])]
}

/** What may break when these files change. */
export function affectedBy(changed: string[]): Affected {
  const importers = importersOf(changed)
  const isIn = (folder: string) => (file: string) => file.startsWith(folder)
  const tests = [...importers].filter((file) => file.endsWith('.test.ts') && existsSync(file))
  const paths = pathsOf(routes as Route[]).filter(({ file }) => importers.has(`app/${file}`))
  const isFew = paths.length <= fewRoutes
  const open = isFew ? paths.map(({ path }) => path) : []
  return {
    unit: tests.filter((file) => isIn('app/')(file) || isIn('sandbox/')(file)),
    pages: union(changed.filter(isTestIn('tests/', '.test.ts')), filesThatName(open, 'tests/pages', '.test.ts', 3)),
    browser: union(changed.filter(isTestIn('tests/e2e/', '.spec.ts')), filesThatName(open, 'tests/e2e', '.spec.ts', 1)),
    paths: isFew ? open : null,
  }
}

/** With what imports them, through whatever is between. */
function importersOf(files: string[]): Set<string> {
  const imports = readImports(['app', 'sandbox', 'dev', 'tests'])
  const found = new Set(files)
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const [file, list] of imports) if (list.some(({ of }) => found.has(of))) found.add(file)
  }
  return found
}

function pathsOf(list: Route[], base = ''): { path: string; file: string }[] {
  return list.flatMap(({ path = '', file, children = [] }) => {
    const own = path === '' ? base : `${base}/${path}`
    return [{ path: own.replace(/\/[:*].*/, '/') || '/', file }, ...pathsOf(children, own)]
  })
}

/** The files that name these paths most. `/dashboard/quotes/new?instrument=oboe` names `/dashboard/quotes/new`. */
function filesThatName(paths: string[], folder: string, suffix: string, most: number): string[] {
  // A path with a parameter ends in a slash here.
  const ends = (path: string) => (path.endsWith('/') && path !== '/' ? '' : '(?=[\'"`?#&$])')
  const patterns = paths.map((path) => new RegExp(`['"\`(]${path.replaceAll('.', '\\.')}${ends(path)}`, 'g'))
  const countIn = (text: string) => patterns.reduce((sum, pattern) => sum + [...text.matchAll(pattern)].length, 0)
  return readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => ({ file: `${folder}/${name}`, count: countIn(readFileSync(`${folder}/${name}`, 'utf8')) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, most)
    .map(({ file }) => file)
}

const isTestIn = (folder: string, suffix: string) => (file: string) =>
  file.startsWith(folder) && file.endsWith(suffix) && existsSync(file)

const union = (...lists: string[][]) => [...new Set(lists.flat())]
