import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { formatDay, formatDuration, formatTime } from '../app/store/shared/dates'
import { formatCents } from '../app/store/shared/money'
import { german } from '../app/i18n/de'
import { language, t } from '../app/i18n/language'
import { translate } from '../app/i18n/translate'
import { inLanguage } from '../app/i18n/language.server'
import { isTranslated, localizeLinks, localPath, withoutPrefix } from '../app/i18n/paths'

const namesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

/** Every string of the sources but the tables, with its variables as `{}`. */
function textsInSources(): Set<string> {
  const texts = new Set<string>()
  const add = (text: string) => texts.add(text.replace(/\{\w*\}/g, '{}'))
  for (const file of readdirSync('app', { recursive: true, encoding: 'utf8' })) {
    if (!/(?<!\.test|i18n\/de)\.tsx?$/.test(file)) continue
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node)) add(node.text)
      if (ts.isTemplateExpression(node))
        add(node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join(''))
      if (ts.isPropertyName(node) && ts.isIdentifier(node)) add(node.text)
      if (ts.isBinaryExpression(node)) add(joined(node))
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, readFileSync(`app/${file}`, 'utf8'), ts.ScriptTarget.Latest, true))
  }
  return texts
}

/** Of `'a' + 'b'`. */
function joined(node: ts.Expression): string {
  if (ts.isBinaryExpression(node)) return joined(node.left) + joined(node.right)
  return ts.isStringLiteralLike(node) ? node.text : ''
}

test('every text of the table is said somewhere', () => {
  const texts = textsInSources()
  expect(Object.keys(german).filter((text) => !texts.has(text.replace(/\{\w+\}/g, '{}')))).toEqual([])
})

test('both languages have the same variables, and no German text is missing or English', () => {
  for (const [english, text] of Object.entries(german)) {
    expect([english, namesOf(text)]).toEqual([english, namesOf(english)])
    expect(text).not.toBe('')
    expect([text, / (the|your|you|and|with|order|not) /.test(text)]).toEqual([text, false])
  }
})

describe('within German', () => {
  const inGerman = <Result>(work: () => Result) => inLanguage('de', work)

  test('fills in variables, and formats numbers', () => {
    expect(t('Only {count} left', { count: 1234 })).toBe('Only 1234 left')
    expect(inGerman(() => t('Only {count} left', { count: 1234 }))).toBe('Nur noch 1.234 auf Lager')
  })

  test('keeps to each request while others run', async () => {
    const speak = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return language()
    }
    expect(await Promise.all([inGerman(speak), speak(), inLanguage('en', speak), inGerman(speak)])).toEqual([
      ...['de', 'en', 'en', 'de'],
    ])
  })

  test('writes money and times as Germans do', () => {
    const at = Date.UTC(2026, 8, 4, 18, 5)
    expect(inGerman(() => formatCents(123_450))).toBe('1.234,50\u00a0$')
    expect(inGerman(() => [formatDay(at), formatTime(at), formatDuration(3_600_000), formatDuration(120_000)])).toEqual(
      [...['4. September 2026', '4. September 2026, 18:05 UTC', '1 Stunde', '2 Minuten']],
    )
    expect([formatDay(at), formatTime(at), formatCents(123_450)]).toEqual([
      ...['4 Sep 2026', '4 Sep 2026, 18:05 UTC', '$1,234.50'],
    ])
  })

  test('translates what a rule of the store says, with its numbers, prices and texts', () => {
    const say = (text: string) => inGerman(() => translate(text))
    expect(say('Sold out')).toBe('Ausverkauft')
    expect(say('Only 1234 left')).toBe('Nur noch 1.234 auf Lager')
    expect(say('above $1,450.50')).toBe('über 1.450,50\u00a0$')
    expect(say('Written by a customer')).toBe('Written by a customer')
    expect(translate('Sold out')).toBe('Sold out')
  })

  test('prefixes the pages that there are, and nothing else', () => {
    expect(
      inGerman(() => ['/', '/home#contact', '/catalog/a?b=/c', '/dashboard/settings', '/art/a.svg'].map(localPath)),
    ).toEqual([...['/de', '/de/home#contact', '/de/catalog/a?b=/c', '/dashboard/settings', '/art/a.svg']])
    expect(localPath('/home')).toBe('/home')
    const html =
      '<a href="/home">x</a><a href="/">x</a><a href="#a">x</a><form action="/allInstruments"></form><img src="/home">'
    expect(inGerman(() => localizeLinks(html))).toBe(
      '<a href="/de/home">x</a><a href="/de">x</a><a href="#a">x</a><form action="/de/allInstruments"></form><img src="/home">',
    )
  })

  test('reads the prefix of a page only', () => {
    const origin = 'https://shop.example'
    expect(['/de', '/de/', '/de?q=1', '/de/home?a=/de/b'].map((path) => withoutPrefix(origin + path))).toEqual(
      ['/', '/', '/?q=1', '/home?a=/de/b'].map((path) => origin + path),
    )
    for (const path of ['/', '/home', '/dex', '/DE', '/de/de', '/de//', '/de/order', '/x/de/home', '/?/de/home'])
      expect([path, withoutPrefix(origin + path)]).toEqual([path, null])
    expect(isTranslated('/nowhere')).toBe(false)
  })
})
