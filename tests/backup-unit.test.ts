import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/* The backup of every hour, as docs/running.md prints it. */

const [, section] = readFileSync('docs/running.md', 'utf8').split('\n## A backup every hour\n')
const blocks = (language: string) =>
  [...section!.split('\n## ')[0]!.matchAll(new RegExp('```' + language + '\\n([^`]+)```', 'g'))].map(
    ([, text]) => text!,
  )
const [, script] = blocks('sh')
const [service, timer] = blocks('ini')

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'shop-backup-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Runs the printed script with stand-ins for the programs that it calls, which write down their arguments. */
function runScript(at: string, programs: Record<string, string>): { status: number | null; calls: string[] } {
  const [bin, state, clone] = ['bin', 'state', 'clone'].map((name) => join(at, name))
  for (const path of [bin, state, clone]) mkdirSync(path!, { recursive: true })
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(bin!, name), `#!/bin/sh\necho "${name} $*" >> ${at}/calls\n${body}\n`)
    chmodSync(join(bin!, name), 0o755)
  }
  const here = script!.replaceAll('/var/lib/shop-backup', state!).replaceAll('/opt/shop', clone!)
  const env = { PATH: `${bin}:${process.env.PATH}`, AGE_RECIPIENT: 'age1x', ELSEWHERE: 'backup@other.example:shop/' }
  const { status } = spawnSync('sh', ['-c', here], { env })
  return { status, calls: readFileSync(`${at}/calls`, 'utf8').trim().split('\n') }
}

const works = { npm: 'echo backup > "$4"', age: 'cat "$5" > "$4"', rsync: '' }

test('the printed script encrypts a backup, copies it elsewhere, and keeps those of 14 days', () => {
  const at = folder()
  mkdirSync(join(at, 'state'))
  for (const [name, days] of [
    ['new', 13],
    ['old', 16],
  ] as const) {
    const file = join(at, 'state', `${name}.age`)
    writeFileSync(file, '')
    utimesSync(file, new Date(), new Date(Date.now() - days * 86_400_000))
  }
  const { status, calls } = runScript(at, works)
  expect(status).toBe(0)
  const hour = String.raw`\S+/state/\d{4}-\d\d-\d\dT\d\d\.backup\.gz`
  expect(calls).toEqual([
    expect.stringMatching(new RegExp(`^npm run backup -- ${hour}$`)),
    expect.stringMatching(new RegExp(`^age -r age1x -o ${hour}\\.age ${hour}$`)),
    expect.stringMatching(/^rsync --ignore-existing \S+\.age .*backup@other\.example:shop\/$/),
  ])
  expect(readdirSync(join(at, 'state')).map((name) => name.replace(/^\d.*(?=\.backup)/, 'hour'))).toEqual(
    expect.arrayContaining(['hour.backup.gz.age', 'new.age']),
  )
  expect(readdirSync(join(at, 'state'))).toHaveLength(2)
})

test.each(['npm', 'age', 'rsync'])('it ends with an error when %s fails, and deletes no earlier backup', (program) => {
  const at = folder()
  mkdirSync(join(at, 'state'))
  writeFileSync(join(at, 'state', 'old.age'), '')
  utimesSync(join(at, 'state', 'old.age'), new Date(0), new Date(0))
  expect(runScript(at, { ...works, [program]: 'exit 1' }).status).not.toBe(0)
  expect(existsSync(join(at, 'state', 'old.age'))).toBe(true)
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(hasSystemd)('systemd accepts the printed units', () => {
  const at = folder()
  writeFileSync(join(at, 'shop-backup.service'), service!)
  writeFileSync(join(at, 'shop-backup.timer'), timer!)
  const files = ['service', 'timer'].map((kind) => join(at, `shop-backup.${kind}`))
  expect(execFileSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8', stdio: 'pipe' })).toBe('')
})

test('cron runs the same script with the same secrets', () => {
  expect(timer).toContain('OnCalendar=hourly')
  expect(service).toContain('ExecStart=/bin/sh /opt/shop-backup.sh')
  expect(section).toContain('`7 * * * * set -a; . /etc/shop-backup.env; sh /opt/shop-backup.sh`')
})
