import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { countLostCpu, cpuMsOfTree } from '../dev/cpu'

const burn =
  'while (process.cpuUsage().user < 800_000); console.log("burnt"); process.stdin.resume().on("end", () => process.exit())'

test.runIf(existsSync('/proc')).for([
  { what: 'is waited for', isLost: false },
  { what: 'ends after its parent', isLost: true },
] as const)('counts the CPU of a process that $what', async ({ isLost }) => {
  const before = cpuMsOfTree(process.pid)
  const lostCpu = countLostCpu(process.pid)
  const shell = spawn('sh', ['-c', `'${process.execPath}' -e '${burn}'; true`])
  await once(shell.stdout, 'data')
  // It looks each second.
  await setTimeout(1100)
  if (isLost) shell.kill('SIGKILL')
  shell.stdin.end()
  await once(shell, 'exit')
  const [counted, lost] = [cpuMsOfTree(process.pid) - before, lostCpu()]
  if (isLost) expect(lost).toBeGreaterThanOrEqual(750)
  else expect(lost).toBe(0)
  expect(counted + lost).toBeGreaterThanOrEqual(750)
})
