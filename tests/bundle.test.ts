import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const modules = (JSON.parse(readFileSync('dist/modules.json', 'utf8')) as { id: string; bytes: number }[]).map(
  ({ id }) => id,
)

test('deploys only the server build and its one-line entry', () => {
  const { inputs } = JSON.parse(readFileSync('dist/worker/meta.json', 'utf8')) as { inputs: object }
  expect(Object.keys(inputs).sort()).toEqual(['build/server/index.js', 'server.ts'])
  expect(readFileSync('server.ts', 'utf8').match(/^import .*/gm)).toEqual(["import * as build from './build/server'"])
})

test('bundles each module and package once', () => {
  const path = (id: string) => id.replace(/\?.*/, '')
  const files = modules.map(path).filter((id) => id.startsWith('app/'))
  expect(files).toContain('app/store/deps.ts')
  expect(files).toContain('app/worker.server.ts')
  expect(files.filter((file, at) => files.indexOf(file) !== at)).toEqual([])

  const folders = new Map<string, Set<string>>()
  for (const id of modules) {
    const [, folder, name] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id) ?? []
    if (name) folders.set(name, (folders.get(name) ?? new Set()).add(folder!))
  }
  expect(folders.has('stripe')).toBe(true)
  expect([...folders].filter(([, copies]) => copies.size > 1)).toEqual([])
})

test('keeps the Worker within 600 KB gzip', () => {
  expect(gzipSync(readFileSync('dist/worker/server.js'), { level: 9 }).byteLength).toBeLessThanOrEqual(600_000)
})
