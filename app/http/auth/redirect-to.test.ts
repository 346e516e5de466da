import { expect, test } from 'vitest'
import { safeRedirectTo } from './redirect-to'

test.each(['/', '/dashboard', '/instruments/oboe?x=1&y=%2F', '/dashboard/myOrders#top', '/a//b'])(
  'redirects to %s',
  (path) => {
    expect(safeRedirectTo(path)).toBe(path)
  },
)

test.each([
  null,
  '',
  'dashboard',
  'dashboard/myOrders',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'http:evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '/\t/evil.example',
  '/\r\nlocation: https://evil.example',
  'http://shop.invalid@evil.example',
  '/%',
  '@evil.example',
])('replaces %j by the dashboard', (path) => {
  expect(safeRedirectTo(path)).toBe('/dashboard')
})
