/*
 * Checks the API document, the scripts of the pages and the packages with tools that npm fetches, and a running shop with
 * wapiti and sqlmap (apt-get install wapiti sqlmap). Exits with 1 on errors. What cannot be checked is no error, but said.
 */
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { auditPackages } from '../dev/audit'
import { logIn } from '../dev/log-in'
import { openTemporaryShop } from '../dev/temporary-shop'

const spectral = ['@stoplight/spectral-cli@6.16.3', '@stoplight/spectral-owasp-ruleset@2.0.1']
const redocly = '@redocly/cli@2.77.0'
const retire = 'retire@5.7.0'

// Not csrf, which wants tokens: the origin checks have tests. Not cookieflags: the Secure flag needs https.
const wapitiModules = 'sql,xss,permanentxss,exec,file,redirect,crlf,csp,http_headers,backup,htaccess'

const severities = ['error', 'warn', 'info', 'hint']

interface Finding {
  severity: string
  text: string
}

const folder = mkdtempSync(join(tmpdir(), 'cadenza-scan-'))
const file = join(folder, 'openapi.json')
let errors = 0
try {
  const shop = await openTemporaryShop()
  try {
    writeFileSync(file, await (await fetch(`${shop.url}/openapi.json`)).text())
    const session = await logIn(shop.url, { email: 'ada@example.com', password: 'practice' })
    report('wapiti', await attackWithWapiti(shop.url))
    report('sqlmap', await injectSql(shop.url, session))
  } finally {
    await shop.stop()
  }
  report('spectral', await lintWithSpectral())
  report('redocly', await lintWithRedocly())
  report('retire', await findRetired())
  report('npm audit', await audit())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(errors === 0 ? 0 : 1)

/** A text is the reason why the tool could not check. */
function report(tool: string, findings: Finding[] | string): void {
  if (typeof findings === 'string') {
    console.log(`${tool}: NOT CHECKED: ${findings}`)
    return
  }
  const counts = severities.map((severity) => {
    const found = findings.filter((each) => each.severity === severity)
    for (const { text } of found) console.log(`${tool}: ${severity}: ${text}`)
    return `${found.length} ${severity}`
  })
  errors += findings.filter(({ severity }) => severity === 'error').length
  console.log(`${tool}: ${counts.join(', ')}`)
}

interface WapitiReport {
  vulnerabilities: Record<string, { level: number; method: string; path: string; info: string }[]>
}

/** As a visitor: signed in, it signs itself out. Its levels are 1 low, 2 medium, 3 high. */
async function attackWithWapiti(url: string): Promise<Finding[] | string> {
  const output = join(folder, 'wapiti.json')
  const limits = ['--max-scan-time', '60', '--max-attack-time', '45', '--depth', '4']
  const headers = ['--header', `Origin: ${url}`]
  const report = [
    '--format',
    'json',
    '--output',
    output,
    '--store-session',
    folder,
    '--flush-session',
    '--no-bugreport',
  ]
  if (!isInstalled('wapiti')) return 'wapiti is not installed'
  await run('wapiti', ['--url', `${url}/`, '--module', wapitiModules, ...limits, ...headers, ...report])
  const { vulnerabilities } = JSON.parse(readFileSync(output, 'utf8')) as WapitiReport
  return Object.entries(vulnerabilities).flatMap(([name, found]) =>
    found.map(({ level, method, path, info }) => ({
      severity: severities[Math.max(0, 3 - level)]!,
      text: `${method} ${path}: ${name}: ${info}`,
    })),
  )
}

async function injectSql(url: string, session: string): Promise<Finding[] | string> {
  const targets: [path: string, body?: string][] = [
    ['/instruments?q=oboe&family=brass&limit=1&after=x'],
    ['/allInstruments?q=oboe&family=brass&max=100&sort=name&after=x'],
    ['/login', 'email=ada@example.com&password=wrong1'],
    ['/forgot-password', 'email=ada@example.com'],
    ['/home', 'name=Ada&email=ada@example.com&message=x&submissionId=12345678'],
    ['/instruments/oboe', 'orderQuantity=5&customerAddress=x&customerPhone=07700900123&submissionId=12345678'],
    ['/dashboard/myProfile', 'name=Ada&address=x&phone=&image='],
    ['/dashboard/addReview', 'description=x&submissionId=12345678'],
    ['/dashboard/myOrders', 'orderId=x'],
  ]
  if (!isInstalled('sqlmap')) return 'sqlmap is not installed'
  const options = ['--batch', '--dbms=sqlite', '--flush-session', '--disable-coloring', '--skip=session', '--level=2']
  const headers = [`--headers=Origin: ${url}`, `--cookie=${session}`, '--ignore-code=400,401,403,404,409,422,429']
  const findings: Finding[] = []
  for (const [path, body] of targets) {
    const target = [`--url=${url}${path}`, ...(body ? [`--data=${body}`] : []), `--output-dir=${folder}/sqlmap`]
    const { stdout } = await run('sqlmap', [...target, ...options, ...headers])
    const isSafe = stdout.includes('do not appear to be injectable')
    if (!isSafe) findings.push({ severity: 'error', text: `${path}: ${stdout.slice(-1000)}` })
  }
  return findings
}

function isInstalled(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

async function lintWithSpectral(): Promise<Finding[]> {
  const packages = spectral.map((name) => `--package=${name}`)
  const { stdout } = await npm(['exec', '--yes', ...packages, '--call', 'command -v spectral'])
  const command = stdout.trim()
  // Spectral looks for the ruleset's package beside the file that names it.
  symlinkSync(dirname(dirname(command)), join(folder, 'node_modules'))
  copyFileSync('scripts/scan/spectral.yaml', join(folder, 'spectral.yaml'))
  const args = ['lint', file, '--ruleset', join(folder, 'spectral.yaml'), '--format', 'json', '--quiet']
  const results = parse(await run(command, args)) as {
    severity: number
    code: string
    message: string
    path: string[]
  }[]
  return results.map(({ severity, code, message, path }) => ({
    severity: severities[severity]!,
    text: `${path.join(' ')}: ${code}: ${message}`,
  }))
}

interface Problem {
  severity: string
  ruleId: string
  message: string
  location: { pointer?: string }[]
}

async function lintWithRedocly(): Promise<Finding[]> {
  const args = ['lint', file, '--config=scripts/scan/redocly.yaml', '--format=json', '--max-problems=1000']
  const result = await npm(['exec', '--yes', `--package=${redocly}`, '--', 'redocly', ...args])
  return (parse(result) as { problems: Problem[] }).problems.map(({ severity, ruleId, message, location }) => ({
    severity,
    text: `${location[0]?.pointer ?? ''}: ${ruleId}: ${message}`,
  }))
}

interface Library {
  component: string
  version: string
  vulnerabilities?: { severity: string; info: string[] }[]
}

async function findRetired(): Promise<Finding[] | string> {
  const args = ['--path', 'build/client', '--outputformat', 'json']
  const result = await npm(['exec', '--yes', `--package=${retire}`, '--', 'retire', ...args])
  const { data, errors } = parse(result) as { data: { file: string; results: Library[] }[]; errors: string[] }
  if (errors.length > 0) return errors.join('; ')
  return data.flatMap(({ file, results }) =>
    results.flatMap(({ component, version, vulnerabilities = [] }) =>
      vulnerabilities.map(({ severity, info }) => ({
        severity: severityOf(severity),
        text: `${file}: ${component} ${version}: ${severity}: ${info.join(' ')}`,
      })),
    ),
  )
}

async function audit(): Promise<Finding[] | string> {
  const found = await auditPackages()
  if (typeof found === 'string') return found
  return found.map(({ name, range, severity, url }) => ({
    severity: severityOf(severity),
    text: `${name} ${range}: ${severity}, ${url}`,
  }))
}

function severityOf(risk: string): string {
  return risk === 'high' || risk === 'critical' ? 'error' : 'warn'
}

function npm(args: string[]) {
  return run('npm', args)
}

/** Not spawnSync: the sandbox answers the shop from this process. */
function run(command: string, args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
    child.once('error', reject).once('close', () => resolve(output))
  })
}

function parse({ stdout, stderr }: { stdout: string; stderr: string }): unknown {
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`A tool of the scan could not be run:\n${stderr}${stdout}`)
  }
}
