import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checks, tasks } from '../dev/named-scripts'

test('has a command for every script, and a script for every command', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const commands = Object.values(scripts).map((command) => /run\.mjs (\S+)/.exec(command)?.[1] ?? command)
  const named = [...checks, ...tasks].map(([name]) => name)
  const files = readdirSync('scripts').filter((file) => file.endsWith('.ts'))
  expect(files).toEqual([...new Set([...commands, ...named])].map((name) => `${name}.ts`).sort())
})
