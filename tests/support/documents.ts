import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The cells of all rows of tables, without the head. */
export function rowsOf(document: string): string[][] {
  return readFileSync(document, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| -'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.replace(/\|$/, '').trim()),
    )
}

export function files(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
}

const tests = ['app', 'tests']
  .flatMap((folder) => files(folder, /\.(test|spec)\.ts$/))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

/** Titles that no test has. */
export const missing = (names: string[]) =>
  names.filter((name) => !["'", '"', '`'].some((quote) => tests.includes(quote + name + quote)))
