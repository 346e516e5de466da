import { expect, test } from 'vitest'
import { atNoon, html, open } from '../../../../tests/support/page-cache'

atNoon()

test('a public page names the rules of prefetching, but not under Save-Data, and a list does not', async () => {
  const { ask } = open()
  const named = async (path: string, headers: Record<string, string>) =>
    (await ask(path, headers))!.headers.get('speculation-rules')
  const rules = (await named('/', html))!
  expect(await named('/', { ...html, 'save-data': 'on' })).toBeNull()
  expect(await named('/instruments', { accept: 'application/json' })).toBeNull()
  const response = (await ask(JSON.parse(rules) as string, {}))!
  expect(response.headers.get('content-type')).toBe('application/speculationrules+json')
  expect(await response.json()).toMatchObject({ prefetch: [{ eagerness: 'moderate' }] })
  expect(await (await ask('/speculation-rules.json', {}, 'HEAD'))!.text()).toBe('')
})
