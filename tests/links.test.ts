import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { patternOf } from '../app/pages'
import { paths } from './support/pages'

const served = new RegExp(`^${patternOf(paths.flatMap(({ path }) => (path.includes('*') ? [] : path)))}$`)

/** Where an address stands in a component, a list of links or a redirect. */
const link =
  /(?:(?:href|action|path|list)\w*(?:=|: | = )\{?|(?:toast|redirect)\w+\((?:context, )?)["'`](\/\w[^"'`?#]*)/gi

test('links only to paths of routes.ts', () => {
  const files = ['ui', 'routes', 'store/screens'].flatMap((folder) =>
    readdirSync(`app/${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `app/${folder}/${file}`),
  )
  const links = files
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(link)].map(([, path]) => ({ file, path: path! })))
  expect(links.length).toBeGreaterThan(100)
  const isServed = (path: string) => served.test(path.replace(/(?<!\/)\$\{.*/, '').replaceAll(/\$\{[^}]*\}/g, 'x'))
  expect(links.filter(({ path }) => !isServed(path))).toEqual([])
})
