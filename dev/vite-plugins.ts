import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { ServerBuild } from '@remix-run/cloudflare'
import { build, type Plugin, type Rollup } from 'vite'
import { smallPlates } from './small-plates'

type Build = ServerBuild & { entry: { module: typeof import('../app/entry.server') } }

/** Remix's own development server knows only the routes; this serves the Worker from Vite's module graph. */
export function worker(): Plugin {
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined }
  return {
    name: 'worker',
    async configureServer(server) {
      const vars = JSON.parse(process.env.LOCAL_VARS ?? '{}') as object
      const { localPictureBindings } = await import('./images')
      const assets = { fetch: () => Promise.resolve(Response.json(smallPlates())) }
      const env = { ...vars, ASSETS: assets, ...(await localPictureBindings(process.env.DATA_DIR || '.data')) }
      return () => {
        server.middlewares.use((incoming, outgoing, next) => {
          const respond = async () => {
            const build = (await server.ssrLoadModule('virtual:remix/server-build')) as Build
            const { fetch } = build.entry.module.createWorker(build, 'development')
            await send(await fetch!(requestOf(incoming) as never, env, ctx as never), outgoing)
          }
          respond().catch(next)
        })
      }
    },
  }
}

function requestOf(incoming: IncomingMessage & { originalUrl?: string }): Request {
  const { method = 'GET', originalUrl, url, headers } = incoming
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one] as const),
  )
  const hasBody = !['GET', 'HEAD'].includes(method)
  return new Request(`http://${headers.host}${originalUrl ?? url}`, {
    method,
    headers: pairs as [string, string][],
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  } as RequestInit)
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers = { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() }
  outgoing.writeHead(response.status, headers)
  if (response.body) await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing)
  else outgoing.end()
}

export function listModules(path: string): Plugin {
  return {
    name: 'list-modules',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const modules = chunks.flatMap((chunk) =>
        Object.entries(chunk.modules).map(([id, { renderedLength }]) => ({
          id: relative(process.cwd(), id.replace(/^\0/, '')),
          bytes: renderedLength,
        })),
      )
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, JSON.stringify(modules, null, 1))
    },
  }
}

const stubs: Record<string, string> = {
  // The router imports it, and the Worker never calls it: a tenth of the bundle.
  'react-dom': 'export const flushSync = (task) => task()\nexport default { flushSync }',
  // What remix-auth's OAuth strategy would log in development.
  debug: 'export default () => () => undefined',
}

/** Leaves packages out that the Worker does not need. */
export function stubPackages(): Plugin {
  return {
    name: 'stub-packages',
    enforce: 'pre',
    resolveId: (source) => (source in stubs ? `\0stub:${source}` : null),
    load: (id) => stubs[id.replace('\0stub:', '')] ?? null,
  }
}

/** Stripe's client brings 250 files of calls, and the shop makes those of four. */
const unusedOfStripe =
  /\/stripe\/esm\/(StripeEventNotificationHandler|resources\/)(?!.*(PaymentIntents|Refunds|Disputes|Checkout\/(Sessions|index))\.js$)/

/** What checks the makers of security keys, with all of X.509: the shop asks no passkey for its maker, and refuses one that names it. */
const unusedOfPasskeys = [
  /\/@simplewebauthn\/server\/esm\/(metadata|services\/(metadataService|defaultRootCerts)|registration\/verifications)\/?(?!.*Packed\.js$)/,
  /\/@simplewebauthn\/server\/esm\/helpers\/(getCertificateInfo|validateCertificatePath|convertX509PublicKeyToCOSE|isCertRevoked|validateExtFIDOGenCEAAGUID)\.js$/,
  /\/@peculiar\/asn1-ecc\/.*\/(?!index|ec_signature_value)\w+\.js$/,
]

/** The database is asked over HTTP. */
const unusedOfLibsql = /\/@libsql\/hrana-client\/lib-esm\/ws\//

/** Empties modules of packages: their classes are empty, and their functions throw. */
export function trimPackages(): Plugin {
  return {
    name: 'trim-packages',
    transform(code, id) {
      if (![unusedOfStripe, unusedOfLibsql, ...unusedOfPasskeys].some((unused) => unused.test(id))) return null
      const names = (kind: string) =>
        [...code.matchAll(new RegExp(`^export ${kind} (\\w+)`, 'gm'))].map(([, name]) => name)
      const emptied = [
        ...names('class').map((name) => `export class ${name} {}`),
        ...names('(?:async )?function').map(
          (name) => `export function ${name}() { throw new Error('${name} is not part of the Worker') }`,
        ),
        ...names('const').map((name) => `export const ${name} = {}`),
      ]
      return { code: emptied.join('\n') || 'export {}', map: null }
    },
  }
}

export function inlineScripts(): Plugin {
  return {
    name: 'inline-scripts',
    async load(id) {
      const [input = '', query] = id.split('?')
      if (query !== 'inline-script') return
      const bundle = (await build({
        configFile: false,
        logLevel: 'error',
        build: { write: false, rollupOptions: { input, output: { format: 'iife' } }, modulePreload: false },
      })) as Rollup.RollupOutput
      return `export default ${JSON.stringify(bundle.output[0].code.trim())}`
    },
  }
}

/** Vite preloads what an imported script imports, by half a kilobyte on each page: ours imports what the page has. */
export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null),
  }
}
