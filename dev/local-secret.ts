import { readFileSync, writeFileSync } from 'node:fs'

/** The secret in the file, which the first call writes. Only the owner of the file can read it. */
export function readOrCreateSecret(file: string, make: () => string): string {
  const existing = readSecret(file)
  if (existing) return existing
  const secret = make()
  writeFileSync(file, secret, { mode: 0o600 })
  return secret
}

export function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
