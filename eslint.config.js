import js from '@eslint/js'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import { importX } from 'eslint-plugin-import-x'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** Allowed imports between the folders of `app/`: see docs/architecture.md. */
const app = {
  db: [],
  store: ['db'],
  gateways: ['store'],
  ui: ['store'],
  http: ['store', 'gateways', 'ui'],
  api: ['store', 'http'],
  routes: ['store', 'http', 'ui', 'api'],
}

/** Allowed imports between the folders of `app/store/`. All may import the files at its root, except `topLevel`. */
const store = {
  chain: [],
  email: [],
  accounts: ['email'],
  catalog: [],
  reviews: [],
  orders: ['accounts', 'chain', 'email'],
  payments: ['accounts', 'email', 'orders'],
  quotes: ['catalog', 'email'],
  ordering: ['accounts', 'catalog', 'chain', 'orders', 'payments', 'quotes'],
}
const topLevel = ['contact', 'customer', 'dashboard', 'deliver-email', 'health', 'home', 'scheduled-tasks'].map(
  (file) => `${file}.server.ts`,
)

const root = {
  migrations: [],
  app: ['migrations'],
  sandbox: ['app'],
  dev: ['app', 'sandbox'],
  bench: ['app', 'sandbox', 'dev'],
  tests: ['app', 'sandbox', 'dev'],
  scripts: ['app', 'sandbox', 'dev', 'bench', 'tests'],
}

const zones = [...zonesOf('./app', app), ...zonesOf('./app/store', store, topLevel), ...zonesOf('.', root)]

function zonesOf(base, folders, files = []) {
  return Object.entries(folders).flatMap(([folder, allowed]) => {
    const forbidden = Object.keys(folders).filter((other) => other !== folder && !allowed.includes(other))
    return {
      target: `${base}/${folder}/**/!(*.test).{ts,tsx}`,
      from: [...forbidden, ...files].map((other) => `${base}/${other}`),
      message: `${base}/${folder} imports only from: ${[folder, ...allowed].join(', ')}.`,
    }
  })
}

// The checker must not share a bug with the shop.
zones.push({
  target: './tests/stress/checker',
  from: ['./app', './sandbox', './dev', './scripts', './server.ts'],
  message: 'The checker shares no code with what it checks.',
})

const serverFiles = ['**/*.server']
const restrict = (...patterns) => [
  'error',
  { patterns: patterns.map(([group, message]) => ({ group, message, allowTypeImports: group === serverFiles })) },
]
const drizzle = [['drizzle-orm', 'drizzle-orm/*', '@libsql/*'], 'SQL lives in app/db and app/store/*.server.ts.']
const stripe = [['stripe', '@stripe/*'], 'Only app/gateways and app/ui/payments/card-form.tsx use Stripe.']
const web = [
  ['@remix-run/*', 'react', 'react-dom', 'remix-*'],
  'app/store, app/db and app/gateways do not know about HTTP or React.',
]
const server = [serverFiles, 'This file also runs in the browser.']

export default tseslint.config(
  { ignores: ['build/', 'dist/', '.wrangler/', '.data/', '.cache/', 'node_modules/', 'migrations/'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver()],
      // Without it the rules look into imported .js files only.
      'import-x/extensions': ['.ts', '.tsx', '.js', '.mjs'],
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-console': ['error', { allow: ['error', 'warn'] }],
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { zones }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/no-non-null-assertion': 'off', // needed by noUncheckedIndexedAccess
      '@typescript-eslint/only-throw-error': 'off', // Remix throws Responses
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }], // an empty environment variable counts as unset
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['app/**/*.ts', 'app/**/*.tsx'],
    rules: { '@typescript-eslint/no-restricted-imports': restrict(drizzle, stripe) },
  },
  { files: ['app/db/**'], rules: { '@typescript-eslint/no-restricted-imports': restrict(stripe, web) } },
  {
    files: ['app/store/**/*.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': restrict(drizzle, stripe, web, server) },
  },
  {
    files: ['app/store/**/*.server.ts', 'app/store/**/*.test.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': restrict(stripe, web) },
  },
  {
    files: ['app/gateways/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': restrict(drizzle, [
        ['@remix-run/*', 'react', 'remix-auth', 'remix-toast'],
        web[1],
      ]),
    },
  },
  { files: ['app/ui/**'], rules: { '@typescript-eslint/no-restricted-imports': restrict(drizzle, stripe, server) } },
  {
    files: ['app/ui/payments/card-form.tsx'],
    rules: { '@typescript-eslint/no-restricted-imports': restrict(drizzle, [['stripe'], stripe[1]], server) },
  },
  {
    files: ['app/**/*.tsx'],
    plugins: { 'react-hooks': reactHooks },
    extends: [jsxA11y.flatConfigs.strict],
    rules: {
      ...reactHooks.configs.recommended.rules,
      // Safari announces an unstyled list only with an explicit role.
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
