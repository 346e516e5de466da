import { readFileSync, writeFileSync } from 'node:fs'

/** What an earlier start has kept in the file, else what `make` returns. Only the owner can read the file. */
export function keptSecret(file: string, make: () => string): string {
  const kept = readSecret(file)
  if (kept) return kept
  const made = make()
  writeFileSync(file, made, { mode: 0o600 })
  return made
}

export function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
