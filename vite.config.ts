import { join } from 'node:path'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'

import { defineConfig, type Rollup } from 'vite'
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

/**
 * React and Remix rarely change. What every page or the purchase page needs is one file, and what many others need is another, since many small
 * files compress worse; the rest is with its page.
 */
function manualChunks(id: string, { getModuleInfo }: Rollup.ManualChunkMeta): string | undefined {
  if (/node_modules\/(react|react-dom|scheduler|@remix-run|turbo-stream)\//.test(id)) return 'react'
  if (!/\/app\/(ui|store|i18n|browser|[^/]+)[^.]*\.tsx?$/.test(id)) return undefined
  const pages = [...importersOf(id, getModuleInfo)].filter((importer) =>
    importer.endsWith('?__remix-build-client-route'),
  )
  const isNeededBy = (page: string) => pages.some((importer) => importer.includes(page))
  if (isNeededBy('/app/root.') || (pages.length > 1 && isNeededBy('/routes/instrument.'))) return 'shared'
  return pages.length > 5 ? 'lists' : undefined
}

function importersOf(id: string, getModuleInfo: Rollup.GetModuleInfo, found = new Set<string>()): Set<string> {
  for (const importer of getModuleInfo(id)?.importers ?? []) {
    if (found.has(importer)) continue
    found.add(importer)
    importersOf(importer, getModuleInfo, found)
  }
  return found
}
