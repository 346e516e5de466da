import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Of a tick in /proc: 1/100 s on every Linux that Node supports. */
const msPerTick = 10

/**
 * CPU of a process, its descendants, and those of them that have ended and been waited for, in milliseconds. 0 where there is no /proc
 * (macOS).
 */
export function cpuMsOfTree(pid: number): number {
  return cpuMsIn(readProcesses(), pid)
}

interface Process {
  parent: number
  /** With that of its children that have ended and been waited for. */
  ticks: number
  ofChildren: number
}

type Processes = Map<number, Process>

function cpuMsIn(all: Processes, pid: number): number {
  let sum = 0
  for (const [id, { ticks }] of all) if (id === pid || descendsFrom(id, pid, all)) sum += ticks * msPerTick
  return sum
}

function descendsFrom(id: number, ancestor: number, all: Processes): boolean {
  for (let parent = all.get(id)?.parent; parent; parent = all.get(parent)?.parent) if (parent === ancestor) return true
  return false
}

/**
 * Counts, until the result is called, what `cpuMsOfTree` loses: the CPU of descendants that end after their parent, or that it does not wait for.
 * Chromium does not wait for the zygotes that fork its renderers, and a test process that ends does not for what started its servers.
 */
export function countLostCpu(pid: number): () => number {
  let before = readProcesses()
  let lost = 0
  const look = () => {
    const now = readProcesses()
    const gone = new Map<number, number>()
    for (const [id, { parent }] of before) {
      const isBelow = parent === pid || descendsFrom(parent, pid, before)
      // Of a parent that is gone as well, it counts with that one.
      if (isBelow && now.has(parent) && now.get(id)?.parent !== parent)
        gone.set(parent, (gone.get(parent) ?? 0) + cpuMsIn(before, id))
    }
    for (const [parent, cpuMs] of gone) {
      const waitedFor = (now.get(parent)!.ofChildren - before.get(parent)!.ofChildren) * msPerTick
      lost += Math.max(0, cpuMs - waitedFor)
    }
    before = now
  }
  const timer = setInterval(look, 1000)
  return () => {
    clearInterval(timer)
    look()
    return lost
  }
}

/** CPU milliseconds so far and memory in bytes (Linux). */
export function usage(pid: number): { cpuMs: number; memory: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
  // Fields 14, 15 and 24 of proc(5): a tick is 10 ms, a page 4 KiB.
  return { cpuMs: (fields[11]! + fields[12]!) * 10, memory: fields[21]! * 4096 }
}

function readProcesses(): Processes {
  const processes: Processes = new Map()
  for (const name of listProcesses()) {
    try {
      // The name, in brackets, may have spaces. After it: state, parent, …, and from the twelfth on user, system, and both of children.
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const [own, ofChildren] = [fields[11]! + fields[12]!, fields[13]! + fields[14]!]
      processes.set(Number(name), { parent: fields[1]!, ticks: own + ofChildren, ofChildren })
    } catch {
      // It has ended since.
    }
  }
  return processes
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/**
 * CPU that starting Node takes, in milliseconds: how fast this machine is now. The quickest of five. A password hash, which stays in the cache of
 * the processor, says too little of a host that is slow with memory and processes (decision 44).
 */
export function measureSpeed(): number {
  const script = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)'
  const once = () => Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))
  return Math.min(...Array.from({ length: 5 }, once))
}
