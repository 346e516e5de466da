import { afterEach, expect, test, vi } from 'vitest'
import { Refusal } from '../store/refusal'
import { logRefusal, logSecurityEvent } from './log.server'

const lines: unknown[] = []
vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(JSON.parse(line)))
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
