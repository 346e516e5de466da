import js from '@eslint/js'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import { importX } from 'eslint-plugin-import-x'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** What a folder of `app/` may import of the others; see docs/architecture.md. */
const app = {
  db: [],
  store: ['db'],
  gateways: ['store'],
  ui: ['store'],
  http: ['store', 'gateways', 'ui'],
  api: ['store', 'http'],
  routes: ['store', 'http', 'ui', 'api'],
}

/** What a room of `app/store/` may import of the other rooms. All may import the files at its root that `ground` names. */
const store = {
  email: [],
  accounts: ['email'],
  catalog: [],
  reviews: [],
  orders: ['accounts', 'email'],
  payments: ['accounts', 'email', 'orders'],
  ordering: ['accounts', 'catalog', 'orders', 'payments'],
}
/** The files at the root of `app/store/` that stand above the rooms. */
const aboveRooms = ['contact', 'dashboard', 'deliver-email', 'home', 'scheduled-tasks'].map(
  (file) => `${file}.server.ts`,
)

/** What the other folders may import: nothing imports what stands above it. */
const outside = {
  migrations: [],
  app: [],
  sandbox: ['app'],
  dev: ['app', 'sandbox'],
  bench: ['app', 'sandbox', 'dev'],
  tests: ['app', 'sandbox', 'dev'],
  scripts: ['app', 'sandbox', 'dev', 'bench', 'tests'],
}

const zones = [...zonesOf('./app', app), ...zonesOf('./app/store', store, aboveRooms), ...zonesOf('.', outside)]

function zonesOf(base, folders, files = []) {
  return Object.entries(folders).flatMap(([folder, may]) => {
    const not = Object.keys(folders).filter((other) => other !== folder && !may.includes(other))
    return {
      target: `${base}/${folder}/**/!(*.test).{ts,tsx}`,
      from: [...not, ...files].map((other) => `${base}/${other}`),
      message: `${base}/${folder} imports only from: ${[folder, ...may].join(', ')}.`,
    }
  })
}

/** The checker judges the shop, so it knows nothing of how the shop does it. */
zones.push({
  target: './tests/stress/checker',
  from: ['./app', './sandbox', './dev', './scripts', './server.ts'],
  message: 'The checker shares no code with what it checks.',
})

const serverFiles = ['**/*.server']
const elsewhere = (...patterns) => [
  'error',
  { patterns: patterns.map(([group, message]) => ({ group, message, allowTypeImports: group === serverFiles })) },
]
const drizzle = [['drizzle-orm', 'drizzle-orm/*', '@libsql/*'], 'SQL lives in app/db and app/store/*.server.ts.']
const stripe = [
  ['stripe', '@stripe/*'],
  'Stripe is spoken to in app/gateways, its card form is app/ui/payments/card-form.tsx.',
]
const web = [['@remix-run/*', 'react', 'react-dom', 'remix-*'], 'The shop does not know how it is reached.']
const server = [serverFiles, 'This file also runs in the browser, or is pure.']

export default tseslint.config(
  { ignores: ['build/', 'dist/', '.wrangler/', '.data/', '.cache/', 'node_modules/', 'migrations/'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-console': ['error', { allow: ['error', 'warn'] }],
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { zones }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-non-null-assertion': 'off', // each is a claim that noUncheckedIndexedAccess asked for
      '@typescript-eslint/only-throw-error': 'off', // Remix throws Responses
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }], // an empty variable is an unset one
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['app/**/*.ts', 'app/**/*.tsx'],
    rules: { '@typescript-eslint/no-restricted-imports': elsewhere(drizzle, stripe) },
  },
  { files: ['app/db/**'], rules: { '@typescript-eslint/no-restricted-imports': elsewhere(stripe, web) } },
  {
    files: ['app/store/**/*.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': elsewhere(drizzle, stripe, web, server) },
  },
  {
    files: ['app/store/**/*.server.ts', 'app/store/**/*.test.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': elsewhere(stripe, web) },
  },
  {
    files: ['app/gateways/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': elsewhere(drizzle, [
        ['@remix-run/*', 'react', 'remix-auth', 'remix-toast'],
        web[1],
      ]),
    },
  },
  { files: ['app/ui/**'], rules: { '@typescript-eslint/no-restricted-imports': elsewhere(drizzle, stripe, server) } },
  {
    files: ['app/ui/payments/card-form.tsx'],
    rules: { '@typescript-eslint/no-restricted-imports': elsewhere(drizzle, [['stripe'], stripe[1]], server) },
  },
  {
    files: ['app/**/*.tsx'],
    plugins: { 'react-hooks': reactHooks },
    extends: [jsxA11y.flatConfigs.strict],
    rules: {
      ...reactHooks.configs.recommended.rules,
      // A list without marks is read as a list only when its role says so (Safari).
      'jsx-a11y/no-redundant-roles': ['error', { ul: ['list'], ol: ['list'] }],
    },
  },
  { files: ['scripts/**', 'sandbox/**', 'bench/**', 'dev/**'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        console: 'readonly',
        URL: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        Response: 'readonly',
      },
    },
  },
)
