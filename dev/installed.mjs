import { readFileSync } from 'node:fs'

/** Compares the lockfile with npm's own list of what it has installed. Optional packages may be for another system. */
export function isInstalled() {
  const installed = packagesOf('node_modules/.package-lock.json')
  const { '': _root, ...locked } = packagesOf('package-lock.json') ?? {}
  if (!installed) return false
  return (
    Object.entries(locked).every(([path, { optional }]) => optional || path in installed) &&
    Object.entries(installed).every(
      ([path, { version, integrity }]) => locked[path]?.version === version && locked[path]?.integrity === integrity,
    )
  )
}

/** @param {string} file @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined} */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** @param {unknown} error @param {string} code */
export function hasCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code
}
