import { expect, test } from 'vitest'
import { contrastOf, shadesOf, themeOf } from './colors'

test('computes contrast as WCAG does', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrastOf('#123456', '#123456')).toBe(1)
})

test.each(['#7a2b1b', '#ff0000', '#ffff00', '#000000', '#ffffff', '#0b5394', '#8a8a8a'])(
  'finds shades near %s that can be read in both schemes',
  (color) => {
    const { light, dark } = shadesOf(color)
    for (const paper of ['#fbf7f0', '#efe5d3']) expect(contrastOf(light, paper)).toBeGreaterThanOrEqual(4.5)
    for (const paper of ['#181310', '#251d17']) expect(contrastOf(dark, paper)).toBeGreaterThanOrEqual(4.5)
    // What can be read already stays.
    expect(shadesOf(light).light).toBe(light)
    expect(shadesOf(dark).dark).toBe(dark)
  },
)

test('replaces only the colors that are set, and nothing by what is no color', () => {
  expect(themeOf({ mainColor: '', accentColor: '' })).toBe('')
  expect(themeOf({ mainColor: '#0b5394', accentColor: '' })).toMatch(
    /^:root\{--color-varnish:#0b5394\}@media screen and \(prefers-color-scheme:dark\)\{:root\{--color-varnish:#[0-9a-f]{6}\}\}$/,
  )
  expect(themeOf({ mainColor: '#0b5394', accentColor: '#000000' })).toContain(
    ':root{--color-varnish:#0b5394;--color-brass:#000000}',
  )
  expect(themeOf({ mainColor: '</style><script>', accentColor: 'red;}body{display:none' })).toBe('')
})
