/* npm run check -- planted-bugs [TEXT]: those of tests/mutation, or those with TEXT in their name or file (docs/mutation.md). */
import { runPlantedBugs } from '../tests/mutation/planted'
import { plantedBugs } from '../tests/mutation/planted-bugs'

const [text = ''] = process.argv.slice(2)
const chosen = plantedBugs.filter(({ name, file }) => name.includes(text) || file.includes(text))
const { caught, wrong } = await runPlantedBugs(chosen, console.log)
console.log(`planted ${chosen.length}, caught ${caught}`)
for (const line of wrong) console.log(`  ${line}`)
process.exitCode = wrong.length > 0 || chosen.length === 0 ? 1 : 0
