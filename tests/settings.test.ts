import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bounds } from '../app/store/operations/health.server'
import { readSettings } from '../dev/deployment'

/*
 * What stands in files that no code reads: Cloudflare does. dev/deployment.ts checks that the variables are filled in, this that the values
 * are those which the documents name.
 */

const settings = (env: string) => readSettings({ env }) as unknown as Record<string, unknown>

test.each(['staging', 'production'])('%s runs as wrangler.toml says', (env) => {
  expect(settings(env)).toMatchObject({
    name: `cadenza-${env}`,
    compatibility_date: '2026-04-01',
    compatibility_flags: ['nodejs_compat'],
    // Telemetry of wrangler.
    send_metrics: false,
    minify: true,
    keep_names: false,
    upload_source_maps: true,
    assets: { binding: 'ASSETS' },
    r2_buckets: [{ binding: 'PICTURES' }],
    images: { binding: 'IMAGES' },
  })
  expect(settings(env).limits).toEqual({ cpu_ms: 10_000 })
  expect(settings(env).triggers).toEqual({ crons: ['*/5 * * * *'] })
  // A line with the URL would have the token of a link.
  expect(settings(env).observability).toEqual({ enabled: true, logs: { invocation_logs: false } })
})

test('the cron trigger may fail five times before the health says so', () => {
  const [, minutes] = /crons = \["\*\/(\d+) \* \* \* \*"\]/.exec(readFileSync('wrangler.toml', 'utf8')) ?? []
  expect(bounds.cron).toBe(6 * Number(minutes) * 60_000)
})

test('both environments have the same variables, and the same values where those are not their own', () => {
  const [staging, production] = [readSettings({ env: 'staging' }).vars, readSettings({ env: 'production' }).vars]
  expect(Object.keys(staging)).toEqual(Object.keys(production))
  const own = ['SHOP_ORIGIN', 'DATABASE_URL', 'STRIPE_PUBLISHABLE_KEY', 'MAIL_FROM']
  for (const name of Object.keys(staging).filter((name) => !own.includes(name)))
    expect([name, staging[name]]).toEqual([name, production[name]])
  expect(production).toMatchObject({ ORDER_HOLD_HOURS: '72', EDGE_CACHE_SECONDS: '15' })
  expect([staging.STRIPE_PUBLISHABLE_KEY, production.STRIPE_PUBLISHABLE_KEY]).toEqual([
    'pk_test_example',
    'pk_live_example',
  ])
})

test('the static files have the headers of public/_headers', () => {
  const rules = readFileSync('public/_headers', 'utf8')
    .split(/\n(?=\S)/)
    .map((rule) => rule.trim().split(/\n\s+/))
  expect(rules).toEqual([
    ['/assets/*', 'Cache-Control: public, max-age=31536000, immutable'],
    [
      '/*',
      'X-Content-Type-Options: nosniff',
      'Strict-Transport-Security: max-age=63072000',
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    ],
    ['/*.svg', 'Content-Type: image/svg+xml; charset=utf-8'],
  ])
})
