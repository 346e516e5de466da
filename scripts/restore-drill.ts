/* npm run restore-drill: loses a database of its own under load, restores a backup of it and looks for every payment. docs/restore.md */
import { runRestores } from '../tests/stress/campaigns/restores'

// An exit stops the database servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
// What the shop logs while its database is away would bury the figures.
console.error = () => undefined
console.warn = console.error

const { figures, wrong } = await runRestores({
  scale: 1,
  seed: Date.now() % 1_000_000,
  say: (line) => console.log(line),
})
for (const [figure, value] of Object.entries(figures)) console.log(`${figure.padEnd(50)} ${value}`)
for (const message of wrong) console.log(`WRONG ${message}`)
console.log(wrong.length === 0 ? 'Every payment is accounted for.' : `${wrong.length} wrong`)
process.exit(wrong.length === 0 ? 0 : 1)
