import { readdirSync, readFileSync } from 'node:fs'
import { createRequestHandler, type EntryContext, type ServerBuild } from '@remix-run/cloudflare'
import { expect, onTestFinished, test, vi } from 'vitest'
import { accepted, fixedIn } from '../dev/advisories'
import { checkPackages } from '../dev/audit'
import { listen } from './support/listen'

const lockfiles = ['package-lock.json', 'node_modules/.package-lock.json']

test.each(fixedIn)('locks and installs $name $version or newer ($advisory)', ({ name, version }) => {
  for (const file of lockfiles) {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version: string }> }
    const copies = Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`))
    expect(copies, file).not.toEqual([])
    for (const copy of copies) {
      const onDisk = (JSON.parse(readFileSync(`${copy}/package.json`, 'utf8')) as { version: string }).version
      expect([copy, isOlder(packages[copy]!.version, version), isOlder(onDisk, version)]).toEqual([copy, false, false])
    }
  }
})

test('compares versions by their numbers', () => {
  expect(['6.30.5', '6.9.9', '5.99.99'].map((one) => isOlder(one, '6.30.6'))).toEqual([true, true, true])
  expect(['6.30.6', '6.30.10', '7.0.0'].map((one) => isOlder(one, '6.30.6'))).toEqual([false, false, false])
})

function isOlder(version: string, than: string): boolean {
  return version !== than && version.localeCompare(than, 'en', { numeric: true }) < 0
}

test('npm test and deploy count every vulnerability above low that is not accepted', async () => {
  const { advisory } = accepted[0]!
  const flaws = [
    { id: 1, url: 'https://github.com/advisories/GHSA-new', severity: 'moderate' },
    { id: 2, url: `https://github.com/advisories/${advisory}`, severity: 'high' },
    { id: 3, url: 'https://github.com/advisories/GHSA-small', severity: 'low' },
  ].map((flaw) => ({ ...flaw, title: 'x', vulnerable_versions: '*' }))
  const registry = await listen(({ url }, response) => {
    const uqr = { name: 'uqr', version: '0.1.3', dist: {} }
    const packument = { name: 'uqr', 'dist-tags': { latest: '0.1.3' }, versions: { '0.1.3': uqr } }
    response.end(JSON.stringify(url!.endsWith('/bulk') ? { uqr: flaws } : packument))
  })
  vi.stubEnv('npm_config_registry', registry)
  onTestFinished(() => void vi.unstubAllEnvs())
  const said: string[] = []
  expect(await checkPackages((line) => said.push(line))).toBe(1)
  expect(said).toEqual([
    'packages: uqr * has a moderate vulnerability: https://github.com/advisories/GHSA-new',
    `packages: uqr * has a high vulnerability: https://github.com/advisories/${advisory} (accepted)`,
    'packages: uqr * has a low vulnerability: https://github.com/advisories/GHSA-small',
  ])
})

test('tests the reason of each accepted vulnerability', () => {
  const tests = readFileSync('tests/advisories.test.ts', 'utf8')
  for (const { advisory, reason } of accepted) {
    expect([advisory, tests.includes(`test('${advisory}: `), reason.length > 50]).toEqual([advisory, true, true])
  }
})

const sources = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(`app/${file}`, 'utf8') }))

test('GHSA-wrjc-x8rr-h8h6: no page has a link or a navigation of the router', () => {
  const imports = sources.flatMap(({ text }) =>
    [...text.matchAll(/import ([^'"]*?) from ['"](?:@remix-run\/react|react-router(?:-dom)?)['"]/g)].flatMap(
      ([, names]) => names!.split(/[{},]/).map((name) => name.trim().replace(/^type /, '')),
    ),
  )
  expect(imports).toContain('useLoaderData')
  const navigating = [
    'Link',
    'NavLink',
    'PrefetchPageLinks',
    'Navigate',
    'useNavigate',
    'useHref',
    'useLinkClickHandler',
    'useFetcher',
  ]
  expect(imports.filter((name) => navigating.includes(name) || name.startsWith('*'))).toEqual([])
  // A form posts to its own page, with another query at most.
  const actions = sources.flatMap(({ text }) =>
    [...text.matchAll(/<Form\b[^>]*?\saction=(\S+)/g)].map(([, action]) => action),
  )
  expect(new Set(actions)).toEqual(new Set(['{useSendTo()}']))
  expect(sources.filter(({ text }) => /submit\([^)]*\baction:/.test(text))).toEqual([])
})

test('GHSA-337j-9hxr-rhxg: a deployed page names no constructor of an error', async () => {
  const thrown = Object.assign(new TypeError('secret'), { name: 'Image' })
  expect(await hydrationOf(thrown, 'development')).toContain('__subType')
  const deployed = await hydrationOf(thrown, 'production')
  expect(deployed).toContain('Unexpected Server Error')
  expect(deployed).not.toMatch(/__subType|Image|secret/)
  // Only an object that is no Error would be sent as it is.
  expect(sources.filter(({ text }) => /\bthrow \{/.test(text))).toEqual([])
})

/** What a page sends to the browser of an error that its loader threw. */
async function hydrationOf(error: Error, mode: 'development' | 'production'): Promise<string> {
  async function render(_request: Request, status: number, headers: Headers, context: EntryContext) {
    return new Response(await new Response(context.serverHandoffStream).text(), { status, headers })
  }
  const build = {
    entry: { module: { default: render, handleError: () => undefined } },
    routes: { root: { id: 'root', path: '', module: { default: () => null, loader: () => Promise.reject(error) } } },
    assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '' },
    publicPath: '/',
    assetsBuildDirectory: '',
    future: { v3_singleFetch: true },
    isSpaMode: false,
  } as unknown as ServerBuild
  const response = await createRequestHandler(build, mode)(new Request('http://shop.example/'))
  return response.text()
}
