import { expect, test } from 'vitest'
import { safeRedirectTo } from './redirect-to'

test.each(['/', '/dashboard', '/instruments/oboe?x=1&y=%2F', '/dashboard/myOrders#top', '/a?b=//c#//d'])(
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
  '/x//VISITOR',
  '/x///VISITOR',
  '/x/./%2fVISITOR',
  '/x/..//VISITOR',
  '/x%2f%2FVISITOR',
  '/x/%2fVISITOR',
  '/x%5cVISITOR',
  '/x%5C/VISITOR',
  '/x/\\VISITOR',
  '/x/\t/VISITOR',
  '/x/\n/VISITOR',
  '/x%09//VISITOR',
  '/x/%0a/VISITOR',
  '/x%00',
  '/%5cevil.example',
  '/\t/evil.example',
  '/\r\nlocation: https://evil.example',
  'http://shop.invalid@evil.example',
  '/%',
  '@evil.example',
])('replaces %j by the dashboard', (path) => {
  expect(safeRedirectTo(path)).toBe('/dashboard')
})
