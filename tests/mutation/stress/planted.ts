import type { Kind } from '../../stress/card'
import type { Violation } from '../../stress/checker/violation'
import { runConcurrently } from '../../stress/concurrency'
import { plantedMoney } from './planted-money'
import { plantedDiscounts } from './planted-discounts'
import { plantedEmails } from './planted-emails'
import { plantedInvoices } from './planted-invoices'
import { plantedRefunds } from './planted-refunds'
import { plantedStock } from './planted-stock'
import type { Planted } from './planting'
import { wrongOf, type Effort, type Report } from '../../stress/report'
import { rest } from '../../stress/rest'
import { TestEnvironment } from '../../stress/test-environment'
import { bothKinds, runWorkload } from '../../stress/workload'

interface Verdict {
  name: string
  /** A bug that no code reached proves nothing. */
  wasHit: boolean
  violations: Violation[]
  failedScenes: string[]
}

const planted: Planted[] = [
  ...plantedDiscounts,
  ...plantedStock,
  ...plantedMoney,
  ...plantedRefunds,
  ...plantedInvoices,
  ...plantedEmails,
]

function runWithBug(bug: Planted | null, kinds?: readonly Kind[]): Promise<Verdict> {
  return TestEnvironment.use(async (env) => {
    let hits = 0
    for (const weaken of bug?.guards ?? []) await weaken(env)
    const worker = env.worker(bug?.worker?.(env, () => hits++))
    const failedScenes = await runWorkload(env, worker, kinds)
    // Running the scheduled tasks hides some bugs: an order that was never cancelled is cancelled when its hold expires.
    const beforeRest = await env.check(false)
    await rest(env, worker).catch((error: unknown) => failedScenes.push(`rest: ${String(error)}`))
    const violations = [...beforeRest, ...(await env.check())]
    return { name: bug?.name ?? 'none', wasHit: hits > 0 || !bug?.worker, violations, failedScenes }
  })
}

export async function runPlanted(effort: Effort): Promise<Report & { points: string[] }> {
  // The short version tries every eighth bug, with one of the two payment kinds.
  const tried = planted.filter((_, index) => effort.scale >= 1 || index % 8 === 0)
  const kinds = (index: number) => (effort.scale < 1 ? [bothKinds[index % 2]!] : bothKinds)
  const verdicts = await runConcurrently(4, tried.length, (index) => runWithBug(tried[index]!, kinds(index)))
  const caught = verdicts.filter(({ wasHit, violations }) => wasHit && violations.length > 0)
  const points = verdicts.map(({ name, violations }) => `${name}: caught by ${invariantsOf(violations) || 'nothing'}`)
  const wrong = verdicts
    .filter((verdict) => !caught.includes(verdict))
    .map(({ name, wasHit }) => `${name}: ${wasHit ? 'not caught' : 'not even hit'}`)
  const control = await runWithBug(null)
  wrong.push(...control.failedScenes, ...wrongOf(control.violations))
  const figures = {
    planted: tried.length,
    caught: caught.length,
    'violations without a bug': control.violations.length,
  }
  return { part: 'planted bugs', figures, wrong, points }
}

function invariantsOf(violations: Violation[]): string {
  const numbers = [...new Set(violations.map(({ invariant }) => invariant))]
  return numbers.sort((a, b) => a - b).join(', ')
}
