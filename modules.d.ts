/** Made by `remix vite:build`: not there when types are checked on a bare clone. */
declare module '*/build/server' {
  import type { ServerBuild } from '@remix-run/cloudflare'
  const build: ServerBuild & { entry: { module: typeof import('./app/entry.server') } }
  export = build
}

/** The text of a script to stand in a page, with all that it imports (`vite.config.ts`). */
declare module '*?inline-script' {
  const text: string
  export default text
}

/** The build of React's server that runs in workerd, and in Node as well: the types know it by its other name only. */
declare module 'react-dom/server.browser' {
  export * from 'react-dom/server'
}

/** Plain JavaScript: it runs before the packages are there. */
declare module '*/installed.mjs' {
  export function isInstalled(): boolean
}
