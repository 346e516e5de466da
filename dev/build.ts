import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

const sources = [
  'app',
  'public',
  'migrations/meta/_journal.json',
  'server.ts',
  'vite.config.ts',
  'dev/build.ts',
  'dev/pictures.ts',
  'dev/small-plates.ts',
  'dev/vite-plugins.ts',
  'wrangler.toml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const stamp = 'dist/built-from'

export async function buildIfStale(log: (line: string) => void): Promise<void> {
  const expected = fingerprint()
  if (isBuilt(expected)) return
  await withLock(async () => {
    if (isBuilt(expected)) return
    log('Building the shop …')
    rmSync(stamp, { force: true })
    await command('node_modules/.bin/remix', ['vite:build'])
    await bundleWorker('dist/worker')
    writeFileSync(stamp, expected)
  })
}

export async function bundleWorker(folder: string, script?: string): Promise<void> {
  await command('node_modules/.bin/wrangler', [
    'deploy',
    ...(script ? [script] : []),
    '--dry-run',
    '--outdir',
    folder,
    '--metafile',
    `${folder}/meta.json`,
  ])
}

function isBuilt(expected: string): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === expected
}

function fingerprint(): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesOf(source)) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/** Without tests, which stand beside the code and are not built. */
function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`))
}

/** Two commands in one checkout must not build into the same folder at once. */
async function withLock(build: () => Promise<void>): Promise<void> {
  mkdirSync('dist', { recursive: true })
  const lock = 'dist/lock'
  while (!tryWrite(lock, String(process.pid))) {
    const holder = Number(readIfExists(lock))
    // The holder has exited, or its process id is ours by now.
    const isUnclaimed = !holder && isOlderThan(lock, 5000)
    if (isUnclaimed || holder === process.pid || (holder && !isAlive(holder))) rmSync(lock, { force: true })
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  try {
    await build()
  } finally {
    rmSync(lock, { force: true })
  }
}

function tryWrite(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

function isOlderThan(path: string, milliseconds: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && stat.mtimeMs < Date.now() - milliseconds
}

function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function command(file: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production', WRANGLER_SEND_METRICS: 'false', CI: '1' },
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${file} ${args[0]} failed:\n${output}`))))
  })
}
