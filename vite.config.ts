import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { pictures } from './dev/pictures'
import { inlineScripts, listModules, withoutReactDom, worker } from './dev/vite-plugins'

declare module '@remix-run/cloudflare' {
  interface Future {
    v3_singleFetch: true
  }
}

export default defineConfig(({ isSsrBuild }) => ({
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
    isSsrBuild ? [withoutReactDom(), listModules('dist/modules.json')] : pictures(),
  ],
  // The server build holds everything, packages too: Rollup leaves out what is not used of them, and no module can exist twice.
  ssr: { resolve: { conditions: ['workerd', 'worker', 'browser'] }, ...(isSsrBuild && { noExternal: true }) },
  resolve: { mainFields: ['browser', 'module', 'main'], dedupe: ['zod'] },
  build: isSsrBuild
    ? { minify: true }
    : {
        // Takes longer than esbuild, and makes what every page with scripts loads 5 % smaller.
        minify: 'terser',
        terserOptions: {
          ecma: 2020,
          module: true,
          compress: { passes: 3, ecma: 2020, pure_getters: true, pure_funcs: wordsToDevelopers },
          format: { comments: false },
        },
        rollupOptions: { output: { manualChunks } },
      },
}))

/** What React Router tells whoever develops with it, of wrong calls and of versions to come: nobody reads it in the shop. */
const wordsToDevelopers = ['warning', 'warningOnce', 'logDeprecation', 'logV6DeprecationWarnings']

/**
 * What the browser gets: React and Remix, which rarely change; and in one file what the pages with scripts share, since each file
 * of its own is a request and compresses worse. What few pages need stays with them.
 */
function manualChunks(id: string): string | undefined {
  if (/node_modules\/(react|react-dom|scheduler|@remix-run|turbo-stream)\//.test(id)) return 'react'
  const isShared = /\/app\/(ui|store)\/[^.]+\.tsx?$/.test(id)
  if (!isShared || ofFewPages.test(id)) return undefined
  return ofLists.test(id) ? 'lists' : 'shared'
}

const ofFewPages =
  /\/(card-form|payment-calls|instrument-(card|fields|preview)|auth-card|google-button|review-card|select|dialog)\.tsx?$/
const ofLists = /\/(responsive-table|pager|badge|empty-state|no-orders|receipt-lines)\.tsx$/
