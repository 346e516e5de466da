import { readdirSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { endWorkerdWithParent } from './end-with-parent'
import { imagesWorker, pictureBindings } from './images'
import { listenHost } from './ports'

export interface RunningWorker {
  url: string
  scheduled(): Promise<void>
  /** The keys of the bucket. */
  storedPictures(): Promise<string[]>
  deletePictures(): Promise<void>
  /** Resolves with a sentence when workerd ends, by `stop` or by itself. */
  died: Promise<string>
  stop(): Promise<void>
}

interface WorkerOptions {
  port: number
  vars: Record<string, string>
  /** Where the bucket is stored; in a temporary folder without it. */
  dataDir?: string
  /** Without the bindings of pictures, or with an Images binding that fails. */
  pictures?: () => 'none' | 'fail' | 'work'
  quiet?: boolean
  stdio?: (stdout: Readable, stderr: Readable) => void
  script?: string
}

/** The built Worker in workerd, with its static files. wrangler's own server costs several times the CPU. */
export async function startWorker({
  port,
  vars,
  dataDir,
  pictures = () => 'work',
  quiet = false,
  stdio,
  script = 'dist/worker/server.js',
}: WorkerOptions): Promise<RunningWorker> {
  const root = process.cwd()
  const client = join(root, 'build/client')
  const files = readdirSync(client, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(client.length).replaceAll('\\', '/'))
  const origin = vars.SHOP_ORIGIN!
  const compatibilityDate = '2026-04-01'
  let onEnd: (sentence: string) => void = () => undefined
  const died = new Promise<string>((resolve) => (onEnd = resolve))
  const signals = keepSignalListeners()
  endWorkerdWithParent()
  const miniflare = new Miniflare({
    ...(dataDir && { r2Persist: join(dataDir, 'pictures') }),
    host: '127.0.0.1',
    port: 0,
    cf: false,
    handleRuntimeStdio(stdout: Readable, stderr: Readable) {
      stderr.once('close', () => onEnd('The Worker (workerd) has ended by itself.'))
      if (stdio) {
        stdio(stdout, stderr)
      } else {
        stdout.pipe(process.stdout)
        stderr.pipe(process.stderr)
      }
    },
    log: new Log(quiet ? LogLevel.ERROR : LogLevel.WARN),
    unsafeTriggerHandlers: true,
    workers: [
      {
        name: 'front',
        modules: [
          { type: 'ESModule', path: join(root, 'front.js'), contents: frontScript(files, origin.startsWith('https:')) },
        ],
        compatibilityDate,
        serviceBindings: { APP: 'cadenza', DISK: { disk: { path: client, writable: false } } },
        unsafeDirectSockets: [{ host: listenHost(origin), port }],
      },
      {
        name: 'cadenza',
        modules: [{ type: 'ESModule', path: join(root, script) }],
        compatibilityDate,
        compatibilityFlags: ['nodejs_compat'],
        // Saves a hop for each fetch (2 ms of an order's CPU). No header of the visitor goes out.
        stripCfConnectingIp: false,
        bindings: vars,
        serviceBindings: { ASSETS: { disk: { path: client, writable: false } } },
        ...(pictures() !== 'none' && pictureBindings),
      },
      imagesWorker(() => pictures() === 'fail'),
    ],
  })
  signals.restore()
  const entry = await miniflare.ready
  const url = await miniflare.unsafeGetDirectURL('front')
  const bucket = () => miniflare.getR2Bucket('PICTURES', 'cadenza')
  const storedPictures = async () => (await (await bucket()).list()).objects.map(({ key }) => key)
  return {
    url: url.origin,
    scheduled: () => runCron(entry),
    storedPictures,
    async deletePictures() {
      await (await bucket()).delete(await storedPictures())
    },
    died,
    stop: () => miniflare.dispose(),
  }
}

/**
 * On a connection of its own. Miniflare's `getWorker` keeps one between calls, and workerd may close it while the next call goes out: the
 * call then fails with ECONNRESET on a busy machine.
 */
function runCron(entry: URL): Promise<void> {
  const url = new URL(`/cdn-cgi/handler/scheduled?cron=${encodeURIComponent('*/5 * * * *')}`, entry)
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { 'MF-Route-Override': 'cadenza' } }, (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () =>
        // 500: the Worker's handler threw.
        response.statusCode === 200 || response.statusCode === 500
          ? resolve()
          : reject(new Error(`The cron trigger was answered with ${response.statusCode}.`)),
      )
    }).once('error', reject)
  })
}

/** Miniflare exits at once on SIGINT or SIGTERM, while the database and the sandbox still run. */
function keepSignalListeners() {
  const names = ['SIGINT', 'SIGTERM'] as const
  const before = names.map((name) => new Set(process.listeners(name)))
  return {
    restore() {
      for (const [index, name] of names.entries()) {
        for (const listener of process.listeners(name)) {
          if (!before[index]!.has(listener)) process.removeListener(name, listener)
        }
      }
    },
  }
}

/**
 * A tunnel ends the encryption, as Cloudflare does: the Worker reads the visitor's address. workerd closes the connection
 * of a body that the Worker has refused unread, which resets the client's next request: what is short is read here.
 */
function frontScript(files: string[], isEncrypted: boolean): string {
  return `
const files = new Set(${JSON.stringify(files)})
const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml; charset=utf-8', png: 'image/png', json: 'application/json', txt: 'text/plain; charset=utf-8', ico: 'image/x-icon' }
export default {
  async fetch(incoming, env, ctx) {
    const request = ${isEncrypted} ? new Request(incoming.url.replace(/^http:/, 'https:'), incoming) : incoming
    const { pathname } = new URL(request.url)
    if ((request.method !== 'GET' && request.method !== 'HEAD') || !files.has(pathname) || pathname.startsWith('/_')) return packed(request, await env.APP.fetch(withBodyRead(request, ctx)))
    const file = await env.DISK.fetch('http://disk' + pathname)
    const forGood = pathname.startsWith('/assets/')
    return packed(request, new Response(request.method === 'HEAD' ? null : file.body, {
      status: file.status,
      headers: {
        'content-type': types[pathname.slice(pathname.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
        'cache-control': forGood ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        'x-content-type-options': 'nosniff',
      },
    }))
  },
}

/* As Cloudflare does for browsers without Brotli, which others get from the Worker. The tag is weak then, so JSON stays as it is: If-Match takes strong ones only. */
function packed(request, response) {
  const { headers, body } = response
  const accepted = request.headers.get('accept-encoding') ?? ''
  const isPacked = !body || headers.has('content-encoding') || !/^text\\/|svg/.test(headers.get('content-type') ?? '')
  if (isPacked || /\\bbr\\b/.test(accepted) || !/\\bgzip\\b/.test(accepted)) return response
  const gzip = new Response(body.pipeThrough(new CompressionStream('gzip')), { status: response.status, headers, encodeBody: 'manual' })
  gzip.headers.set('content-encoding', 'gzip')
  gzip.headers.append('vary', 'Accept-Encoding')
  gzip.headers.delete('content-length')
  const tag = headers.get('etag')
  if (tag?.startsWith('"')) gzip.headers.set('etag', 'W/' + tag)
  return gzip
}

function withBodyRead(request, ctx) {
  const length = Number(request.headers.get('content-length'))
  if (!request.body || request.method === 'GET' || !(length > 0 && length <= 65536)) return request
  const { readable, writable } = new FixedLengthStream(length)
  const copied = request.body.pipeTo(writable, { preventCancel: true })
  ctx.waitUntil(copied.catch(() => request.body.pipeTo(new WritableStream())).catch(() => undefined))
  return new Request(request, { body: readable })
}`
}
