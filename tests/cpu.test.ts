import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countLostCpu, cpuMsOfTree } from '../dev/cpu'

const burn = 'const end = Date.now() + 1500; while (Date.now() < end);'
const node = JSON.stringify(process.execPath)

test.runIf(existsSync('/proc')).for([
  { what: 'is waited for', script: `${node} -e '${burn}'`, isLost: false },
  { what: 'ends after its parent', script: `${node} -e '${burn}' & sleep 1.4`, isLost: true },
] as const)('counts the CPU of a process that $what', async ({ script, isLost }) => {
  const before = cpuMsOfTree(process.pid)
  const lostCpu = countLostCpu(process.pid)
  const shell = spawn('sh', ['-c', script])
  await once(shell, 'exit')
  const [counted, lost] = [cpuMsOfTree(process.pid) - before, lostCpu()]
  if (isLost) expect(lost).toBeGreaterThan(300)
  else expect(lost).toBe(0)
  expect(counted + lost).toBeGreaterThan(500)
})
