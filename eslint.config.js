import js from '@eslint/js'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import { importX } from 'eslint-plugin-import-x'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** What a room may import of the other rooms; see docs/architecture.md. */
const rooms = {
  db: [],
  store: ['db'],
  gateways: ['store'],
  http: ['store', 'gateways', 'ui'],
  ui: ['store'],
  api: ['store', 'http'],
  routes: ['store', 'http', 'ui', 'api'],
}

const zones = Object.entries(rooms).map(([room, may]) => ({
  target: `./app/${room}`,
  from: './app',
  except: [`./${room}`, ...may.map((other) => `./${other}`)],
  message: `${room} may import only from: ${[room, ...may].join(', ')}.`,
}))

/** The checker judges the shop, so it knows nothing of how the shop does it. */
zones.push({
  target: './tests/checker',
  from: ['./app', './sandbox', './scripts', './server.ts'],
  message: 'The checker shares no code with what it checks.',
})

const serverFiles = ['**/*.server']
const elsewhere = (...patterns) => [
  'error',
  { patterns: patterns.map(([group, message]) => ({ group, message, allowTypeImports: group === serverFiles })) },
]
const drizzle = [['drizzle-orm', 'drizzle-orm/*', '@libsql/*'], 'SQL lives in app/db and app/store/*.server.ts.']
const stripe = [['stripe', '@stripe/*'], 'Stripe is spoken to in app/gateways, its card form is app/ui/card-form.tsx.']
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
    files: ['app/ui/card-form.tsx'],
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
  { files: ['scripts/**', 'sandbox/**', 'bench/**'], rules: { 'no-console': 'off' } },
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
