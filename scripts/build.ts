/* npm run task -- build: what a deployment needs, in build/ and dist/worker/, and the list of its packages in dist/sbom.json. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { buildIfStale } from '../dev/build'

await buildIfStale(console.log)
const sbom = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], { maxBuffer: 2 ** 26 })
writeFileSync('dist/sbom.json', sbom)
console.log('Built. dist/sbom.json lists the packages.')
