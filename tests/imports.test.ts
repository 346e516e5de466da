import { expect, test } from 'vitest'
import { readImports, type Import } from '../dev/imports'

/** Allowed imports between folders: see docs/architecture.md. */
const folders: Record<string, Record<string, string[]>> = {
  '': {
    migrations: [],
    app: ['migrations'],
    sandbox: ['app'],
    dev: ['app', 'sandbox'],
    bench: ['app', 'sandbox', 'dev'],
    tests: ['migrations', 'app', 'sandbox', 'dev'],
    scripts: ['app', 'sandbox', 'dev', 'bench', 'tests'],
  },
  'app/': {
    i18n: [],
    db: [],
    store: ['db', 'i18n'],
    gateways: ['store', 'i18n'],
    browser: ['store', 'i18n'],
    ui: ['store', 'browser', 'i18n'],
    http: ['store', 'gateways', 'ui', 'i18n'],
    api: ['store', 'http'],
    routes: ['store', 'http', 'ui', 'browser', 'api', 'i18n'],
  },
  // All may import `shared` and the files at its root; nothing but tests the screens, privacy and operations, which may import all.
  'app/store/': {
    shared: [],
    log: [],
    email: ['shared'],
    pages: ['shared'],
    settings: ['shared', 'catalog', 'orders', 'pages', 'email'],
    accounts: ['shared', 'email'],
    catalog: ['shared', 'log'],
    discounts: ['shared', 'accounts', 'catalog'],
    reviews: ['shared'],
    orders: ['shared', 'log', 'accounts', 'email', 'catalog'],
    payments: ['shared', 'accounts', 'email', 'orders'],
    quotes: ['shared', 'log', 'catalog', 'email'],
    integrations: ['shared', 'log', 'accounts', 'email'],
    ordering: ['shared', 'accounts', 'catalog', 'discounts', 'orders', 'payments', 'quotes'],
  },
}
const acrossRooms = /^app\/store\/(screens|privacy|operations)\//

/** `what` must not be imported by the files that `by` matches, except from those that `except` matches. */
const forbidden: { what: RegExp; by: RegExp; except?: RegExp; types?: 'allowed'; why: string }[] = [
  {
    what: /^(drizzle-orm|@libsql\/)/,
    by: /^app\//,
    except: /^app\/(db\/|store\/.*\.(server|test)\.ts)/,
    why: 'SQL lives in app/db and app/store/*.server.ts.',
  },
  {
    what: /^(stripe$|@stripe\/)/,
    by: /^app\//,
    except: /^app\/(gateways\/|ui\/payments\/card-form\.tsx)/,
    why: 'Only app/gateways and app/ui/payments/card-form.tsx use Stripe.',
  },
  {
    what: /^(@remix-run\/|react$|react-dom|remix-(?!auth-google))/,
    by: /^app\/(store|db|gateways)\//,
    why: 'app/store, app/db and app/gateways do not know about HTTP or React.',
  },
  {
    what: /\.server\.tsx?$/,
    by: /^app\/(ui|store|browser)\//,
    except: /\.(server|test)\.tsx?$/,
    types: 'allowed',
    why: 'This file also runs in the browser.',
  },
  {
    what: /^(app|sandbox|dev|scripts)\/|^server\.ts$/,
    by: /^tests\/stress\/checker\//,
    why: 'The checker shares no code with what it checks.',
  },
]

const imports = readImports(Object.keys(folders['']!).filter((folder) => folder !== 'migrations'))

test('imports go from folder to folder as docs/architecture.md says', () => {
  expect(imports.size).toBeGreaterThan(500)
  expect([...imports].flatMap(([file, list]) => problemsOf(file, list))).toEqual([])
})

test('no file imports itself through others', () => {
  expect(cyclesOf(imports)).toEqual([])
})

/** The second of each imports the first. */
test.for<[string, string]>([
  ['app/db/schema.ts', 'app/store/privacy/close-account.server.ts'],
  ['app/ui/button.tsx', 'app/ui/orders/unsent-orders.tsx'],
  ['dev/ports.ts', 'dev/database.ts'],
  ['sandbox/json-response.ts', 'sandbox/faults.ts'],
  ['tests/support/listen.ts', 'tests/deploy.drill.test.ts'],
])('finds an import cycle of %s with %s', ([file, other]) => {
  expect(cyclesOf(withImport(file, other))).not.toEqual([])
})

test.for<[string, string]>([
  ['app/db/schema.ts', 'app/routes/home.tsx'],
  ['app/store/email/templates.server.ts', 'app/store/screens/home.server.ts'],
  ['app/store/catalog/instruments.ts', 'app/store/orders/orders.ts'],
  ['app/ui/button.tsx', 'app/store/shared/ids.server.ts'],
  ['app/ui/button.tsx', 'drizzle-orm'],
  ['app/store/shared/refusal.ts', 'react'],
  ['app/gateways/resend.server.ts', '@remix-run/cloudflare'],
  ['app/http/request/csrf.server.ts', 'stripe'],
  ['tests/support/shop.ts', 'bench/measure.ts'],
  ['app/db/schema.server.test.ts', 'bench/measure.ts'],
  ['app/store/operations/health.server.test.ts', 'app/routes/home.tsx'],
  ['tests/stress/checker/check.ts', 'app/store/shared/money.ts'],
])('finds an import of %s that is against the plan: %s', ([file, other]) => {
  expect(problemsOf(file, [{ of: other, isType: false }])).toHaveLength(1)
})

function problemsOf(file: string, list: Import[]): string[] {
  return list.flatMap(({ of, isType }) => {
    const against = whyNot(file, of, isType)
    return against ? [`${file} imports ${of}: ${against}`] : []
  })
}

function whyNot(file: string, of: string, isType: boolean): string | undefined {
  for (const [base, plan] of Object.entries(folders)) {
    const isTest = /\.test\.tsx?$/.test(file)
    // A test beside its file brings about by other rooms of the store what its own cannot.
    if (isTest && base === 'app/store/') continue
    const [from, to] = [isTest && base === '' ? 'tests' : folderIn(base, file), folderIn(base, of)]
    if (from === undefined || !plan[from]) continue
    if (base === 'app/store/' && acrossRooms.test(of)) return `${base}${from} imports no room that spans others.`
    if (to !== undefined && plan[to] && to !== from && !plan[from].includes(to))
      return `${base}${from} imports only from: ${[from, ...plan[from]].join(', ')}.`
  }
  return forbidden.find(
    ({ what, by, except, types }) =>
      what.test(of) && by.test(file) && !except?.test(file) && !(types === 'allowed' && isType),
  )?.why
}

function folderIn(base: string, file: string): string | undefined {
  return file.startsWith(base) ? file.slice(base.length).split('/')[0] : undefined
}

function withImport(file: string, of: string): Map<string, Import[]> {
  expect([...imports.keys()]).toEqual(expect.arrayContaining([file, of]))
  return new Map(imports).set(file, [...imports.get(file)!, { of, isType: false }])
}

/** Imports of types are gone when the code runs. */
function cyclesOf(graph: Map<string, Import[]>): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const { of, isType } of graph.get(file) ?? []) if (!isType) visit(of, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return cycles
}
