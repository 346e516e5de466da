import fc from 'fast-check'
import { commands } from '../commands'
import { Play } from '../model'
import { scaled, wrongOf, type Effort, type Report } from '../report'
import { rest } from '../rest'
import { TestEnvironment } from '../test-environment'

/** How many sequences one stand sees: the checker looks at all of it after each. */
const sequencesOfAStand = 8

/**
 * Sequences of commands that nobody has thought of, at a shop with a model beside it; after each the shop comes to rest and
 * the checker looks. `replay` is the path that a failure names: with the same seed it runs that sequence again.
 */
export async function runProperties(effort: Effort, replay?: string): Promise<Report> {
  const sequences = scaled(effort, 600, 8)
  const counts: Record<string, number> = {}
  let stand: TestEnvironment | undefined
  let played = 0
  const property = fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: '+1' }), async (sequence) => {
    if (played++ % sequencesOfAStand === 0) {
      effort.say(`sequences: ${played - 1} of ${sequences}`)
      await stand?.close()
      stand = await TestEnvironment.open()
    }
    const shop = stand!
    let play: Play | undefined
    try {
      await fc.asyncModelRun(async () => {
        const begun = await Play.begin(shop)
        play = begun.real
        return begun
      }, sequence)
      await rest(shop)
      const wrong = wrongOf(await shop.check())
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
    } catch (error) {
      // What is broken in this shop must not be found again by the next sequence.
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
    const wrong = result.failed ? [fc.defaultReportMessage(result)!] : []
    return { part: 'properties', figures, wrong }
  } finally {
    await stand?.close()
  }
}
