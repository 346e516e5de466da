import fc from 'fast-check'
import { commands } from '../commands'
import { ModelSession } from '../model'
import { scaled, wrongOf, type Effort, type Report } from '../report'
import { rest } from '../rest'
import { TestEnvironment } from '../test-environment'

/** The checker reads all rows after each sequence, so an environment is replaced after this many. */
const sequencesPerEnv = 8

/** Random sequences of commands against a model. `replay` is the path that fast-check prints for a failure. */
export async function runProperties(effort: Effort, replay?: string): Promise<Report> {
  const sequences = scaled(effort, 600, 8)
  const counts: Record<string, number> = {}
  let env: TestEnvironment | undefined
  let played = 0
  const property = fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: '+1' }), async (sequence) => {
    if (played++ % sequencesPerEnv === 0) {
      effort.say(`sequences: ${played - 1} of ${sequences}`)
      await env?.close()
      env = await TestEnvironment.open()
    }
    const shop = env!
    let play: ModelSession | undefined
    try {
      await fc.asyncModelRun(async () => {
        const session = await ModelSession.begin(shop)
        play = session.real
        return session
      }, sequence)
      await rest(shop)
      const wrong = wrongOf(await shop.check())
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
    } catch (error) {
      // The next sequence must not report the same failure again.
      played = 0
      throw error
    } finally {
      for (const step of play?.steps ?? []) counts[step] = (counts[step] ?? 0) + 1
    }
  })
  try {
    const result = await fc.check(property, {
      seed: effort.seed,
      numRuns: sequences,
      ...(replay ? { path: replay, endOnFailure: true } : {}),
    })
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const figures = { sequences: result.numRuns, commands: total, seed: effort.seed, ...counts }
    // fast-check leaves the error out of its report.
    const wrong = result.failed ? [`${fc.defaultReportMessage(result)}\n${String(result.errorInstance)}`] : []
    return { part: 'properties', figures, wrong }
  } finally {
    await env?.close()
  }
}
