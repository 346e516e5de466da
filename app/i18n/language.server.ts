import { AsyncLocalStorage } from 'node:async_hooks'
import { german } from './de'
import { setLanguage, setTable, type Language } from './language'

const languages = new AsyncLocalStorage<Language>()

setLanguage(() => languages.getStore() ?? 'en')
setTable(german)

/** Whatever `work` writes, also after it has waited, is in this language; without it, in English. */
export function inLanguage<Result>(language: Language, work: () => Result): Result {
  return languages.run(language, work)
}
