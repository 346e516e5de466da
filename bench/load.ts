import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { usage } from '../dev/cpu'
import type { Served } from './stage'

export interface Target {
  name: string
  served: Served
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
  connections?: number
}

export interface Load {
  perSecond: number
  /** CPU milliseconds of the Worker per request. */
  cpuMs: number
  /** Milliseconds to the end of the response. */
  p50: number
  p99: number
  requests: number
}

const generator = 'autocannon@8.0.0'
const folder = 'node_modules/.cache/cadenza-bench'
const command = `${folder}/node_modules/autocannon/autocannon.js`

export function fetchGenerator(): void {
  if (existsSync(command)) return
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--prefix',
    folder,
    generator,
  ])
}

/** Runs the targets in turn, so that other load on the machine hits all of them alike. Returns medians by name. */
export async function loadInTurn(targets: Target[], rounds: number, seconds: number): Promise<Record<string, Load>> {
  const loads: Record<string, Load[]> = {}
  for (const target of targets) await fire(target, { times: 8 })
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) (loads[target.name] ??= []).push(await fire(target, { seconds }))
  }
  return Object.fromEntries(Object.entries(loads).map(([name, list]) => [name, medians(list)]))
}

export async function fire(target: Target, length: { seconds: number } | { times: number }): Promise<Load> {
  const { served, path, method = 'GET', headers = {}, body, connections = 8 } = target
  const headerArgs = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const before = usage(served.pid).cpuMs
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      command,
      '-j',
      '-c',
      String(connections),
      ...('seconds' in length ? ['-d', String(length.seconds)] : ['-a', String(length.times)]),
      '-m',
      method,
      ...headerArgs,
      ...(body ? ['-b', body] : []),
      served.origin + path,
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  )
  const cpu = usage(served.pid).cpuMs - before
  const report = JSON.parse(stdout) as {
    requests: { total: number; average: number }
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
    timeouts: number
    statusCodeStats: object
  }
  const failed = report.non2xx + report.errors + report.timeouts
  if (failed > 0 || report.requests.total === 0)
    throw new Error(
      `${target.name}: ${failed} of ${report.requests.total} failed (${report.errors} cut, ${report.timeouts} too late, ${JSON.stringify(report.statusCodeStats)})`,
    )
  const { total, average } = report.requests
  return { perSecond: average, cpuMs: cpu / total, p50: report.latency.p50, p99: report.latency.p99, requests: total }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function medians(loads: Load[]): Load {
  const of = (key: keyof Load) => median(loads.map((load) => load[key]))
  return { perSecond: of('perSecond'), cpuMs: of('cpuMs'), p50: of('p50'), p99: of('p99'), requests: of('requests') }
}
