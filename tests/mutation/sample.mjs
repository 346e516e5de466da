import { createHash } from 'node:crypto'
import process from 'node:process'

const { MUTATION_SAMPLE: share = '1', MUTATION_SEED: seed = '0' } = process.env

/** @typedef {{ id: string, fileName: string, mutatorName: string, replacement: string, location: object }} Mutant */

/** Stryker has no samples: for it, the mutants that are not in ours do not compile, which leaves them out of its score. */
class Sample {
  init() {
    return Promise.resolve()
  }

  /** @param {Mutant[]} mutants */
  check(mutants) {
    const results = mutants.map((mutant) => [mutant.id, isInSample(mutant) ? inSample : notInSample])
    return Promise.resolve(Object.fromEntries(results))
  }
}

const inSample = { status: 'passed' }
const notInSample = { status: 'compileError', reason: 'not in the sample' }

/** @param {Mutant} mutant */
function isInSample({ fileName, mutatorName, replacement, location }) {
  const text = JSON.stringify([seed, fileName.split('/app/').at(-1), mutatorName, replacement, location])
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32 < Number(share)
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }]
