import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './build'

const sharedMemory = '/dev/shm'

/** Containers often have little of it: a shop of a test takes some megabytes, Chromium more. */
export function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(sharedMemory)
    return bavail * bsize > 2 ** 30
  } catch {
    return false
  }
}

const ownName = /^cadenza-tests-(\d+)$/

/** A folder in memory for the databases of this run, where a commit waits for no disk. Removes those of runs that were killed. */
export function makeFolderInMemory(): string | null {
  if (!hasSharedMemory()) return null
  for (const name of readdirSync(sharedMemory)) {
    const pid = ownName.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(sharedMemory, name), { recursive: true, force: true })
  }
  const folder = join(sharedMemory, `cadenza-tests-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  return folder
}
