import type { german } from './de'

/** English is spoken without a prefix, German below `/de` (decision 55). */
export type Language = 'en' | 'de'

/** A text of the table, in English: that is its key. */
export type Text = Extract<keyof typeof german, string>

export const locales = { en: 'en-US', de: 'de-DE' } as const

export type Table = Record<Text, string>

/** The variables of a text: `{count}`. */
export type Names<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

type Values<T extends string> = [Names<T>] extends [never] ? [] : [Record<Names<T>, string | number>]

/** In the browser that of the page. On the server `language.server.ts` says it, for each request. */
let spoken = (): Language => {
  const page = typeof document === 'undefined' ? undefined : document
  return page?.documentElement.lang === 'de' ? 'de' : 'en'
}
let table: Table | undefined

export function language(): Language {
  return spoken()
}

export function setLanguage(current: () => Language): void {
  spoken = current
}

/** Of German. The browser loads it where the page is German, and before it hydrates it. */
export function setTable(texts: Table): void {
  table = texts
}

/** Null where English is spoken. */
export function tableHere(): Table | null {
  return language() === 'de' ? (table ?? null) : null
}

/** In the language of this request or page, with its variables not filled in. */
export function template(text: Text): string {
  return tableHere()?.[text] ?? text
}

/** In the language of this request or page. A text that the table lacks is a type error. */
export function t<T extends Text>(text: T, ...[values]: Values<T>): string {
  const words = template(text)
  return values ? words.replace(/\{(\w+)\}/g, (_, name: Names<T>) => formatValue(values[name])) : words
}

/** 1234 -> `1234` in English, as it always stood, and `1.234` in German. */
export function formatValue(value: string | number): string {
  return typeof value === 'number' && language() === 'de' ? value.toLocaleString(locales.de) : String(value)
}
