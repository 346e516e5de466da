/*
 * Checks the API document, the scripts of the pages and the packages with tools that npm fetches. Exits with 1 on
 * errors. A list of known vulnerabilities that cannot be fetched is no error, but said.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openTemporaryShop } from '../dev/temporary-shop'

const spectral = ['@stoplight/spectral-cli@6.16.3', '@stoplight/spectral-owasp-ruleset@2.0.1']
const redocly = '@redocly/cli@2.77.0'
const retire = 'retire@5.7.0'

const severities = ['error', 'warn', 'info', 'hint']

interface Finding {
  severity: string
  text: string
}

const folder = mkdtempSync(join(tmpdir(), 'cadenza-scan-'))
const file = join(folder, 'openapi.json')
let errors = 0
try {
  const shop = await openTemporaryShop({ demo: false })
  try {
    writeFileSync(file, await (await fetch(`${shop.url}/openapi.json`)).text())
  } finally {
    await shop.stop()
  }
  report('spectral', lintWithSpectral())
  report('redocly', lintWithRedocly())
  report('retire', findRetired())
  report('npm audit', audit())
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

function lintWithSpectral(): Finding[] {
  const packages = spectral.map((name) => `--package=${name}`)
  const command = npm(['exec', '--yes', ...packages, '--call', 'command -v spectral']).stdout.trim()
  // Spectral looks for the ruleset's package beside the file that names it.
  symlinkSync(dirname(dirname(command)), join(folder, 'node_modules'))
  copyFileSync('scripts/scan/spectral.yaml', join(folder, 'spectral.yaml'))
  const args = ['lint', file, '--ruleset', join(folder, 'spectral.yaml'), '--format', 'json', '--quiet']
  const results = parse(run(command, args)) as { severity: number; code: string; message: string; path: string[] }[]
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

function lintWithRedocly(): Finding[] {
  const args = ['lint', file, '--config=scripts/scan/redocly.yaml', '--format=json', '--max-problems=1000']
  const result = npm(['exec', '--yes', `--package=${redocly}`, '--', 'redocly', ...args])
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

function findRetired(): Finding[] | string {
  const args = ['--path', 'build/client', '--outputformat', 'json']
  const result = npm(['exec', '--yes', `--package=${retire}`, '--', 'retire', ...args])
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

interface Audit {
  message?: string
  vulnerabilities?: Record<string, { severity: string; range: string }>
}

function audit(): Finding[] | string {
  const { message = 'no answer', vulnerabilities } = parse(npm(['audit', '--omit=dev', '--json'])) as Audit
  if (!vulnerabilities) return message
  return Object.entries(vulnerabilities).map(([name, { severity, range }]) => ({
    severity: severityOf(severity),
    text: `${name} ${range}: ${severity}`,
  }))
}

function severityOf(risk: string): string {
  return risk === 'high' || risk === 'critical' ? 'error' : 'warn'
}

function npm(args: string[]) {
  return run('npm', args)
}

function run(command: string, args: string[]) {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const result = spawnSync(command, args, { env, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (result.error) throw result.error
  return result
}

function parse({ stdout, stderr }: { stdout: string; stderr: string }): unknown {
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`A tool of the scan could not be run:\n${stderr}${stdout}`)
  }
}
