import { join } from 'node:path'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { defineCommonPasswords } from './dev/common-passwords'
import { pictures } from './dev/pictures'
import { inlineScripts, listModules, plainImports, stubPackages, trimPackages, worker } from './dev/vite-plugins'

declare module '@remix-run/cloudflare' {
  interface Future {
    v3_singleFetch: true
  }
}

export default defineConfig(({ isSsrBuild }) => ({
  define: defineCommonPasswords(),
  plugins: [
    worker(),
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
      },
    }),
    tailwindcss(),
    inlineScripts(),
    isSsrBuild ? [stubPackages(), trimPackages(), listModules('dist/modules.json')] : [pictures(), plainImports()],
  ],
  // Packages are bundled too, so that no module exists twice.
  ssr: { resolve: { conditions: ['workerd', 'worker', 'browser'] }, ...(isSsrBuild && { noExternal: true }) },
  // All that a page may load is prepared before the first one: a package found later brings a second React to the page that is open.
  optimizeDeps: { entries: ['app/**/*.{ts,tsx}', '!**/*.test.ts'] },
  // With the data of the shop, so that shops side by side do not share it.
  cacheDir: join(process.env.DATA_DIR || '.data', 'vite'),
  resolve: { mainFields: ['browser', 'module', 'main'], dedupe: ['zod', 'tslib'] },
  build: isSsrBuild
    ? { minify: true, sourcemap: true }
    : {
        // Slower than esbuild, but the shared scripts are 5 % smaller.
        minify: 'terser',
        terserOptions: {
          ecma: 2020,
          module: true,
          compress: { passes: 3, ecma: 2020, pure_getters: true, pure_funcs: developerWarnings },
          format: { comments: false },
        },
        rollupOptions: { output: { manualChunks } },
      },
}))

const developerWarnings = ['warning', 'warningOnce', 'logDeprecation', 'logV6DeprecationWarnings']

/** React and Remix rarely change; shared modules go into one file, since many small files compress worse. */
function manualChunks(id: string): string | undefined {
  if (/node_modules\/(react|react-dom|scheduler|@remix-run|turbo-stream)\//.test(id)) return 'react'
  const isShared = /\/app\/(ui|store|i18n)\/[^.]+\.tsx?$/.test(id)
  if (!isShared || pageModules.test(id)) return undefined
  return listComponents.test(id) ? 'lists' : 'shared'
}

const pageModules =
  /\/((auth|dashboard|home|integrations|quotes|reviews|settings)\/.*|first-steps|card-form|command-form|form-rows|attribute-rows|attributes|lost-product|specification|payment-calls|instrument-(card|fields|price|reviews)|sale-(end|fields|words)|purchase-form|small-cards|delivery-facts|stock|wish-form|describe-event|gallery|picture-(rows|lists)|limits|order-links|receipts|next-steps|what-happens-next|receipt-again|dialog|structured-data|overview|sheet|refund-fields|packing-slip|picking-list|managed-search|dashboard-nav|bar|send-order|unsent-orders?|order-again|invoice-links|family-fields|counts|family-words|i18n\/(de|translate|paths))\.tsx?$/
const listComponents = /\/(responsive-table|pager|badge|empty-state|no-orders|receipt-lines|refunded|held-until)\.tsx$/
