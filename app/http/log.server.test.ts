import { afterEach, expect, test, vi } from 'vitest'
import { Refusal } from '../store/shared/refusal'
import { ProviderError } from '../store/deps'
import { codeOf, logError, logEvent, logPackageOutput, logRefusal, logSecurityEvent } from './log.server'

const lines: unknown[] = []
for (const level of ['error', 'warn', 'info'] as const)
  vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(JSON.parse(line)))
afterEach(() => void lines.splice(0))

const from = (ip: string) => ({ requestId: 'r1', ip })
const common = { level: 'info', type: 'security', requestId: 'r1' }

test('writes a security event as one JSON line, with half of the IP address', () => {
  logSecurityEvent(from('203.0.113.9'), 'signed in', { user: 'u1' })
  logSecurityEvent(from('2001:db8:7:1'), 'signed in')
  expect(lines).toEqual([
    { ...common, event: 'signed in', network: '203.0', user: 'u1' },
    { ...common, event: 'signed in', network: '2001:db8' },
  ])
})

test('names an exceeded limit without its account or address, and what a user may not do or find', () => {
  logRefusal(from('203.0.113.9'), new Refusal('too-many', '', { limit: 'sign-in:ip:203.0.113.9' }))
  logRefusal(from('203.0.113.9'), new Refusal('wrong-credentials', ''))
  logRefusal(from('203.0.113.9'), new Refusal('conflict', ''), 'u1')
  logRefusal(from('203.0.113.9'), new Refusal('forbidden', ''), 'u1')
  logRefusal(from('203.0.113.9'), new Refusal('not-found', ''), 'u1')
  logRefusal(from('203.0.113.9'), new Refusal('not-found', ''))
  expect(lines).toEqual([
    { ...common, event: 'limit reached', network: '203.0', limit: 'sign-in:ip' },
    { ...common, event: 'wrong password', network: '203.0' },
    { ...common, event: 'not allowed', network: '203.0', user: 'u1' },
    { ...common, event: 'not found', network: '203.0', user: 'u1' },
  ])
})

class LibsqlError extends Error {
  override name = 'LibsqlError'
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message)
  }
}

class FailedQuery extends Error {
  query = 'select * from users where email = ?'
  params = ['ada@example.com']
  constructor(cause: unknown) {
    super('Failed query: … params: ada@example.com', { cause })
  }
}

test('writes an error in one line: no parameter, no address, no client secret, a short stack', () => {
  const error = new FailedQuery(new Error('SQLite: ada@example.com and pi_1_secret_abc\n  are wrong'))
  logError('error', 'request failed', error, { requestId: 'r1', status: 503 })
  const { stack, ...line } = lines[0] as { stack: string }
  expect(line).toEqual({
    level: 'error',
    event: 'request failed',
    code: 'database-away',
    requestId: 'r1',
    status: 503,
    name: 'Error',
    message: 'Failed query: select * from users where email = ?',
    cause: 'Error: SQLite: (address) and pi_1_secret_ are wrong',
  })
  expect(stack).toMatch(/^at .+ < at /)
  expect(stack.length).toBeLessThan(1000)
})

test.each([
  ['database-full', new FailedQuery(new LibsqlError('SQLite error: disk I/O error', 'SQLITE_IOERR'))],
  ['database-busy', new FailedQuery(new LibsqlError('database is locked', 'SQLITE_BUSY'))],
  ['database-schema', new FailedQuery(new LibsqlError('SQLite error: no such column: x', 'SQLITE_ERROR'))],
  ['database-away', new FailedQuery(new LibsqlError('Server returned HTTP status 503', 'SERVER_ERROR'))],
  ['database-away', new FailedQuery(new TypeError('fetch failed'))],
  ['database-away', new FailedQuery(new LibsqlError('Server returned HTTP status 401', 'SERVER_ERROR'))],
  ['bug', new FailedQuery(new LibsqlError('Server returned HTTP status 400: Cannot deserialize', 'SERVER_ERROR'))],
  ['bug', new LibsqlError('Server returned HTTP status 413', 'SERVER_ERROR')],
  ['bug', new FailedQuery(new LibsqlError('SQL string could not be parsed', 'SQL_PARSE_ERROR'))],
  ['bug', new FailedQuery(new LibsqlError('SQLite error: near "x": syntax error', 'SQLITE_ERROR'))],
  ['stripe-away', new ProviderError('Stripe: Request timed out', { final: false })],
  ['stripe-failed', new Error('outer', { cause: new ProviderError('Stripe: No such intent', { final: true }) })],
  ['provider-away', new ProviderError('Somebody', { final: false })],
  ['google-away', new Error('Google returned 500')],
  ['bug', new TypeError('x is undefined')],
  ['bug', 'a text'],
])('%s: %s', (code, error) => expect(codeOf(error)).toBe(code))

test('an error of a batch is the database’s if its connection failed', () => {
  expect(codeOf(new Error('Network connection lost.'), true)).toBe('database-away')
})

test('writes what a package prints as one JSON line, without the address that it quotes', () => {
  const packages = console
  const methods = ['log', 'debug', 'trace', 'info', 'warn', 'error'] as const
  const before = Object.fromEntries(methods.map((method) => [method, packages[method]]))
  try {
    logPackageOutput(packages)
    logEvent('info', 'cron ran', {})
    packages.warn('Pathnames cannot have embedded double slashes - normalizing /x//VISITOR -> /x/VISITOR')
    packages.error(new Error('The URL path "%VISITOR" could not be decoded'))
    packages.error('%s', 'VISITOR\n')
    packages.log({ VISITOR: 1 })
    packages.debug('ok')
  } finally {
    Object.assign(packages, before)
  }
  const output = { event: 'package output', stack: expect.any(String) as string }
  expect(lines).toEqual([
    { level: 'info', event: 'cron ran' },
    { ...output, level: 'warn', message: 'Pathnames cannot have embedded double slashes - normalizing' },
    { ...output, level: 'error', message: 'The URL path' },
    { ...output, level: 'error', message: '' },
    { ...output, level: 'info', message: 'object' },
    { ...output, level: 'info', message: 'ok' },
  ])
})
