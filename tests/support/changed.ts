import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readImports, type Import } from '../../dev/imports'
import { paths as routes } from './pages'

export interface Affected {
  /** Test files in this process, and of the built shop: those nearest to the change, as many as there is time for. */
  unit: string[]
  pages: string[]
  browser: string[]
  /** Pages of the nearest routes that it may alter. */
  paths: string[]
  /** Test files that the change can break too. */
  left: number
}

/** CPU seconds of the tests of each kind on the machine of `tests/budget.json`; on a fast one some 60 s with the build. */
const [unitSeconds, pageSeconds] = [28, 35]
const nearRoutes = 4

const testFolders = ['tests/pages', 'tests/api', 'tests/e2e']

/** Files that differ from `base` (a commit), or are new. */
export function changedFiles(base: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
  return [...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')])]
}

/** What may break when these files change. */
export function affectedBy(changed: string[]): Affected {
  const distances = distancesFrom(changed)
  const isBeside = (file: string) => changed.some((each) => file === each.replace(/\.tsx?$/, '.test.ts'))
  const weightOf = (file: string) => (isBeside(file) ? 0 : distances.get(file)!)
  const reached = [...distances.keys()].filter((file) => existsSync(file)).toSorted((a, b) => weightOf(a) - weightOf(b))
  const isUnit = (file: string) => /^(app|sandbox)\/.*\.test\.ts$/.test(file)
  const units = reached.filter(isUnit)
  const unit = union(units.filter(isBeside), withinTime(units, unitSeconds))
  const near = reached.flatMap((file) => routeList.filter((route) => `app/${route.file}` === file))
  const paths = [...new Set(near.map(({ path }) => path))].slice(0, nearRoutes)
  const ofPaths = (folder: string) =>
    paths.flatMap((path) =>
      testsOf(
        near.filter((each) => each.path === path),
        folder,
      ),
    )
  const chosen = {
    unit,
    pages: union(changed.filter(isTestIn('tests/', '.test.ts')), withinTime(ofPaths('tests/pages'), pageSeconds)),
    browser: union(changed.filter(isTestIn('tests/e2e/', '.spec.ts')), ofPaths('tests/e2e').slice(0, 1)),
  }
  // What the entry imports stands before every route.
  const isEverywhere = ['app/worker.server.ts', 'app/root.tsx'].some((file) => distances.has(file))
  const others = testFolders.flatMap((folder) => testsOf(isEverywhere ? routeList : near, folder))
  const isRun = new Set(Object.values(chosen).flat())
  return { ...chosen, paths, left: union(units, others).filter((file) => !isRun.has(file)).length }
}

/** The first of these files, as many as take this long. */
function withinTime(files: string[], seconds: number): string[] {
  const { files: costs } = JSON.parse(readFileSync('tests/budget.json', 'utf8')) as { files: Record<string, number> }
  let sum = 0
  return [...new Set(files)].filter((file) => (sum += costs[file] ?? 0.5) <= seconds)
}

let imports: [file: string, its: Import[]][] | undefined

/** Of each file that imports these, through whatever is between: over how many imports. */
function distancesFrom(files: string[]): Map<string, number> {
  imports ??= [...readImports(['app', 'sandbox', 'dev', 'tests'])]
  const distances = new Map(files.map((file) => [file, 0]))
  for (let distance = 1, before = -1; before !== distances.size; distance++) {
    before = distances.size
    const importers = imports.filter(
      ([file, list]) => !distances.has(file) && list.some(({ of }) => (distances.get(of) ?? distance) < distance),
    )
    for (const [file] of importers) distances.set(file, distance)
  }
  return distances
}

const routeList = routes.map(({ path, file }) => ({ path: path.replace(/\/[:*].*/, '/'), file }))

/**
 * The tests of routes: those of the same name first, then those that name their paths most. `/dashboard/quotes/new?instrument=oboe` names
 * `/dashboard/quotes/new`.
 */
function testsOf(list: { path: string; file: string }[], folder: string): string[] {
  const names = list.map(({ file }) => basename(file).replace(/\.\w+$/, ''))
  // A path with a parameter ends in a slash here.
  const ends = (path: string) => (path.endsWith('/') && path !== '/' ? '' : '(?=[\'"`?#&$])')
  const patterns = [...new Set(list.map(({ path }) => path))].map(
    (path) => new RegExp(`['"\`(]${path.replaceAll('.', '\\.')}${ends(path)}`, 'g'),
  )
  const weigh = (name: string, text: string) =>
    patterns.reduce((sum, pattern) => sum + [...text.matchAll(pattern)].length, names.includes(name) ? 1000 : 0)
  return readdirSync(folder)
    .filter((name) => /\.(test|spec)\.ts$/.test(name))
    .map((name) => {
      const text = readFileSync(`${folder}/${name}`, 'utf8')
      return { file: `${folder}/${name}`, weight: weigh(name.replace(/\..*/, ''), text) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ file }) => file)
}

const isTestIn = (folder: string, suffix: string) => (file: string) =>
  file.startsWith(folder) && file.endsWith(suffix) && existsSync(file)

const union = (...lists: string[][]) => [...new Set(lists.flat())]
