/*
 * Exits with 1 if accessibility, best practices or SEO fails an audit, or if a page that a stranger sees first has less than 100 for
 * performance in each of some audits: a busy machine takes points away, and never gives any. The performance of the others is only printed.
 * The pages of the signed-in are not for search engines: the audit that asks for that does not count there.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { provideBrowser } from '../dev/browser'
import { logIn } from '../dev/log-in'
import { openTemporaryShop } from '../dev/temporary-shop'

const version = '12.8.2'
const requiredCategories = ['accessibility', 'best-practices', 'seo'] as const
const categories = [...requiredCategories, 'performance'] as const

const pages = [
  { path: '/', signedIn: false, isFast: true },
  { path: '/allInstruments', signedIn: false, isFast: true },
  { path: '/catalog/concert-violin-4-4', signedIn: false, isFast: true },
  { path: '/login', signedIn: false },
  { path: '/instruments/violin-4-4', signedIn: true },
  { path: '/dashboard', signedIn: true },
]

interface LighthouseReport {
  categories: Record<(typeof categories)[number], { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<
    string,
    { title: string; score: number | null; displayValue?: string; details?: { items?: unknown[] } }
  >
  runtimeError?: { message: string }
}

const chromium = provideBrowser(console.log)
const shop = await openTemporaryShop()
const folder = mkdtempSync(join(tmpdir(), 'cadenza-lighthouse-'))
const failures: string[] = []
try {
  const cookie = await logIn(shop.url, { email: 'ada@example.com', password: 'practice' })
  console.log(['page'.padEnd(26), ...categories.map((name) => name.padStart(15))].join(''))
  for (const { path, signedIn, isFast = false } of pages) {
    const report = await auditAgain(path, { cookie: signedIn ? cookie : undefined, tries: isFast ? 5 : 1 })
    const scores = categories.map((name) => Math.round((report.categories[name].score ?? 0) * 100))
    if (isFast && performanceOf(report) < 1) failures.push(`${path}: performance: ${slowest(report)}`)
    console.log([path.padEnd(26), ...scores.map((score) => String(score).padStart(15))].join(''))
    failures.push(...failedAudits(report, { isPublic: !signedIn }).map((fault) => `${path}: ${fault}`))
  }
} finally {
  await shop.stop()
  rmSync(folder, { recursive: true, force: true })
}
for (const fault of failures) console.error(fault)
process.exit(failures.length === 0 ? 0 : 1)

function performanceOf({ categories }: LighthouseReport): number {
  return categories.performance.score ?? 0
}

/** The measures that take points away. */
function slowest({ categories, audits }: LighthouseReport): string {
  const measures = categories.performance.auditRefs.filter(({ id, weight }) => weight > 0 && audits[id]!.score! < 1)
  return measures.map(({ id }) => `${audits[id]!.title} ${audits[id]!.displayValue}`).join(', ')
}

/** The best of some audits. On a busy machine Lighthouse sometimes records no navigation, and asks to be run again. */
async function auditAgain(
  path: string,
  { cookie, tries }: { cookie: string | undefined; tries: number },
): Promise<LighthouseReport> {
  const reports: LighthouseReport[] = []
  for (let failed = 0; reports.length < tries;) {
    try {
      reports.push(await audit(path, cookie))
    } catch (error) {
      if (++failed === 3 || !String(error).includes('NO_NAVSTART')) throw error
    }
    if (reports.some((report) => performanceOf(report) === 1)) break
  }
  return reports.reduce((best, report) => (performanceOf(report) > performanceOf(best) ? report : best))
}

async function audit(path: string, cookie: string | undefined): Promise<LighthouseReport> {
  const reportFile = join(folder, 'report.json')
  const headers = join(folder, 'headers.json')
  writeFileSync(headers, JSON.stringify(cookie ? { cookie } : {}))
  const flags = ['--headless=new', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  await promisify(execFile)(
    'npm',
    [
      ...['exec', '--yes', `--package=lighthouse@${version}`, '--', 'lighthouse', shop.url + path, '--quiet'],
      ...[`--only-categories=${categories.join(',')}`, '--output=json', `--output-path=${reportFile}`],
      ...[`--extra-headers=${headers}`, `--chrome-flags=${flags.join(' ')}`],
    ],
    { env: { ...process.env, CHROME_PATH: chromium } },
  )
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as LighthouseReport
  if (report.runtimeError) throw new Error(`Lighthouse failed on ${path}: ${report.runtimeError.message}`)
  return report
}

function failedAudits({ categories, audits }: LighthouseReport, { isPublic }: { isPublic: boolean }): string[] {
  return requiredCategories.flatMap((name) =>
    categories[name].auditRefs
      .map(({ id, weight }) => ({ id, weight, audit: audits[id]! }))
      .filter(({ weight, audit }) => weight > 0 && audit.score !== null && audit.score < 1)
      .filter(({ id }) => isPublic || id !== 'is-crawlable')
      .map(({ id, audit }) => {
        const example = JSON.stringify(audit.details?.items?.[0] ?? '').slice(0, 300)
        return `${name}: ${id}: ${audit.title}: ${example}`
      }),
  )
}
