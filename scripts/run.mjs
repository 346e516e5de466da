/* Runs on a bare clone with nothing but Node: installs packages if they are stale, then starts the task. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { hasCode, isInstalled } from '../dev/installed.mjs'

/** Not in node_modules, which `npm ci` deletes. */
const installLock = '.installing'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
requireNode(20, 19)
installIfStale()
run(process.argv[2] ?? '', process.argv.slice(3))

/** @param {number} major @param {number} minor */
function requireNode(major, minor) {
  const [haveMajor = 0, haveMinor = 0] = process.versions.node.split('.').map(Number)
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return
  fail(`Cadenza needs Node.js ${major}.${minor} or newer; this is ${process.versions.node}.`)
}

function installIfStale() {
  if (isInstalled()) return
  takeInstallLock()
  if (!isInstalled()) install()
  rmSync(installLock, { force: true })
}

/** Two commands must not run `npm ci` in one folder at once. The lock of a process that has died is free. */
function takeInstallLock() {
  for (let said = 0; ;) {
    try {
      writeFileSync(installLock, String(process.pid), { flag: 'wx' })
      // Another command may have taken this lock for that of the dead owner which it has just read.
      sleep(300)
      if (ownerOfLock() === process.pid) return
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
      const owner = ownerOfLock()
      if (!isAlive(owner)) rmSync(installLock, { force: true })
      else if (owner !== said) console.log(`Another command (process ${owner}) installs the packages. Waiting …`)
      said = owner
      sleep(300)
    }
  }
}

/** 0 if there is none, or it is being written. */
function ownerOfLock() {
  try {
    return Number(readFileSync(installLock, 'utf8'))
  } catch {
    return 0
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** @param {number} milliseconds */
function sleep(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

function install() {
  console.log('Installing packages (npm ci) …')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status } = spawnSync(npm, ['ci', '--no-fund', '--no-audit'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    rmSync(installLock, { force: true })
    fail('The packages could not be installed: see above. Is the npm registry within reach?')
  }
}

/** @param {string} task @param {string[]} rest */
function run(task, rest) {
  const child = spawn(process.execPath, ['--import', 'tsx', `scripts/${task}.ts`, ...rest], { stdio: 'inherit' })
  // Ctrl-C reaches the child, too (same terminal); a signal to this process alone does not. As SIGTERM, because a second SIGINT would cut
  // its cleanup off. Wait for that in each case.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'))
  // npm exits on SIGTERM without passing it on.
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 300)
  if (!process.env.npm_lifecycle_event) clearInterval(watch)
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)))
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message)
  process.exit(1)
}
