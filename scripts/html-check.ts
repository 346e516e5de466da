/* Checks the HTML of every page with the Nu HTML checker. Exits with 1 on errors and warnings; without Java it checks nothing, and says so. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from '../dev/build'
import { everyPage } from '../tests/support/every-page'
import { openTemporaryShop } from '../dev/temporary-shop'

const checker = 'vnu-jar@26.9.27'

/** The checker does not know CSS View Transitions 2, Overflow 4 and Scroll Snap 2; the slash is React's, whose attributes all have quotes. */
const ignored =
  /^CSS: (Unrecognized at-rule “@view-transition”|“(line-clamp|scroll-initial-target)”)|^Trailing slash on void elements has no effect/

if (spawnSync('java', ['-version']).error) {
  console.log('NOT CHECKED: the HTML checker runs on Java 11 or newer, and there is no "java" here.')
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'cadenza-html-'))
const pages = join(folder, 'pages')
mkdirSync(pages)
await buildIfStale(console.log)
const shop = await openTemporaryShop()
try {
  const names = new Map<string, string>()
  await everyPage(shop.url, (name, answer) => {
    if (!answer.headers.get('content-type')?.startsWith('text/html')) throw new Error(`${name} is no page`)
    if (answer.status >= 500) throw new Error(`${name}: ${answer.status}`)
    const file = `${String(names.size + 1).padStart(2, '0')}.html`
    names.set(file, `${name} (${answer.status})`)
    writeFileSync(join(pages, file), answer.html)
    return answer
  })
  process.exitCode = report(names, check())
} finally {
  await shop.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

interface Message {
  type: string
  url?: string
  lastLine?: number
  message: string
  extract?: string
}

function check(): Message[] {
  // Its install script would download a Java runtime.
  const npm = ['exec', '--yes', '--ignore-scripts', `--package=${checker}`, '--']
  const vnu = ['vnu', '--format', 'json', '--stdout', pages]
  const { stdout, stderr, error } = spawnSync('npm', [...npm, ...vnu], { encoding: 'utf8', maxBuffer: 1 << 28 })
  try {
    const { messages } = JSON.parse(stdout) as { messages: Message[] }
    return messages.filter(({ message }) => !ignored.test(message))
  } catch {
    throw new Error(`The HTML checker (${checker}) could not be run: ${error?.message ?? ''}\n${stderr}${stdout}`)
  }
}

function report(names: Map<string, string>, messages: Message[]): number {
  for (const { url = '', lastLine, message, extract } of messages) {
    const name = names.get(url.split('/').pop()!) ?? url
    console.log(`${name}, line ${lastLine}: ${message}\n    ${extract?.replace(/\s+/g, ' ')}`)
  }
  console.log(`${names.size} pages checked, ${messages.length} errors and warnings.`)
  return messages.length > 0 ? 1 : 0
}
