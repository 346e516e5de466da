import type { Kind } from '../../stress/card'
import type { Violation } from '../../stress/checker/violation'
import { runConcurrently } from '../../stress/concurrency'
import { plantedMoney } from './planted-money'
import { plantedLetters } from './planted-emails'
import { plantedRefunds } from './planted-refunds'
import { plantedStock } from './planted-stock'
import type { Planted } from './planting'
import { wrongOf, type Effort, type Report } from '../../stress/report'
import { rest } from '../../stress/rest'
import { TestEnvironment } from '../../stress/test-environment'
import { bothKinds, runWorkload } from '../../stress/workload'

interface Verdict {
  name: string
  /** A bug that nothing ran into proves nothing. */
  struck: boolean
  violations: Violation[]
  /** Scenes of the day that could not be played to their end. */
  broken: string[]
}

const planted: Planted[] = [...plantedStock, ...plantedMoney, ...plantedRefunds, ...plantedLetters]

/** A day of a shop with this bug, and what the checker says to it; with no bug, what it says to a shop as it is. */
async function tryPlanted(bug: Planted | null, kinds?: readonly Kind[]): Promise<Verdict> {
  const stand = await TestEnvironment.open()
  try {
    let strikes = 0
    for (const fall of bug?.walls ?? []) await fall(stand)
    const worker = stand.worker(bug?.worker?.(stand, () => strikes++))
    const broken = await runWorkload(stand, worker, kinds)
    // Rest hides some of it: an order that was not cancelled when its customer was told so is cancelled when its hold ends.
    const atOnce = await stand.check(false)
    await rest(stand, worker).catch((error: unknown) => broken.push(`rest: ${String(error)}`))
    const violations = [...atOnce, ...(await stand.check())]
    return { name: bug?.name ?? 'none', struck: strikes > 0 || !bug?.worker, violations, broken }
  } finally {
    await stand.close()
  }
}

/** Every planted bug, and the shop without one: each must be caught, and the shop must not. */
export async function runPlanted(effort: Effort): Promise<Report & { points: string[] }> {
  // The short version tries each bug with one of the two ways of paying.
  const kinds = (index: number) => (effort.scale < 1 ? [bothKinds[index % 2]!] : bothKinds)
  const verdicts = await runConcurrently(4, planted.length, (index) => tryPlanted(planted[index]!, kinds(index)))
  const caught = verdicts.filter(({ struck, violations }) => struck && violations.length > 0)
  const points = verdicts.map(({ name, violations }) => `${name}: caught by ${invariantsOf(violations) || 'nothing'}`)
  const wrong = verdicts
    .filter((verdict) => !caught.includes(verdict))
    .map(({ name, struck }) => `${name}: ${struck ? 'not caught' : 'not even hit'}`)
  const control = await tryPlanted(null)
  wrong.push(...control.broken, ...wrongOf(control.violations))
  const figures = {
    planted: planted.length,
    caught: caught.length,
    'violations without a bug': control.violations.length,
  }
  return { part: 'planted bugs', figures, wrong, points }
}

function invariantsOf(violations: Violation[]): string {
  const numbers = [...new Set(violations.map(({ invariant }) => invariant))]
  return numbers.sort((a, b) => a - b).join(', ')
}
