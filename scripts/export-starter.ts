/* npm run task -- export-starter FOLDER --name 'Other Shop'     writes a shop of another name, without the history of this one */
import { resolve } from 'node:path'
import { readArguments } from '../dev/arguments'
import { exportStarter } from '../dev/starter'

const usage = "Usage: npm run task -- export-starter FOLDER --name 'Other Shop'"
const { values, positionals } = readArguments(
  { options: { name: { type: 'string' } }, allowPositionals: true, strict: true },
  usage,
)
const [folder] = positionals
if (!folder || !values.name || positionals.length > 1) {
  console.error(usage)
  process.exit(2)
}
try {
  const startedAt = Date.now()
  const count = await exportStarter(resolve(folder), values.name.trim())
  console.log(`${count} files of ${values.name.trim()} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`)
  console.log(`Next: cd ${folder}, npm start, and then Settings: words, colors, families.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
