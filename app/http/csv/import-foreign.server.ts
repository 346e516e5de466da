import type { Deps } from '../../store/deps'
import {
  importInstruments,
  planImport,
  type ImportLine,
  type ImportPlan,
  type KnownChoice,
} from '../../store/catalog/import-instruments.server'
import { noPicture, readForeign, type ForeignFile } from './foreign-csv.server'
import type { ForeignNote } from './foreign-product'
import { cutText } from '../../store/shared/text'

export interface ForeignImport extends Omit<ForeignFile, 'lines'> {
  /** Names of products. */
  withoutFamily: string[]
  plan: ImportPlan
}

/** Null for a file of our own. Checks a file of Shopify or WooCommerce, and applies what fits of it; the rest is named line by line. */
export async function importForeign(
  deps: Deps,
  text: string,
  admin: { id: string } | null,
  choice: KnownChoice,
): Promise<ForeignImport | null> {
  const file = readForeign(text)
  if (!file) return null
  const { lines, ...rest } = file
  const left: ForeignNote[] = [...rest.left]
  const notes: ForeignNote[] = [...rest.notes]
  // The shop keeps the pictures of products that it has: only those of others are asked for.
  const first = await planImport(deps, lines, choice)
  const asked = new Set([...first.newLines, ...first.problems.map(({ line }) => line)])
  const pictures = await inspectPictures(
    deps,
    lines.filter(({ line }) => asked.has(line)),
  )
  let fitting = leaveOut(lines, left, pictures.late).map((line) => {
    const why = pictures.lost.get(line.line)
    if (why === undefined) return line
    const { name, img } = line.cells
    notes.push({ line: line.line, name, message: `It comes without its picture ${cutText(img, 200)}: ${why}` })
    return { ...line, lostImg: img, cells: { ...line.cells, img: noPicture } }
  })
  let plan = await planImport(deps, fitting, choice)
  // What is wrong with a line may hide what is wrong with another one, such as a twin.
  for (let round = 0; plan.problems.length > 0 && round < 5; round++) {
    const problems = new Map(
      plan.problems.toReversed().map(({ line, column, message }) => [line, named(column, message)]),
    )
    fitting = leaveOut(fitting, left, problems)
    plan = await planImport(deps, fitting, choice)
  }
  if (admin && plan.problems.length === 0) plan = await importInstruments(deps, admin, fitting, choice)
  const isNew = new Set(plan.newLines)
  const withoutFamily = fitting.flatMap(({ line, cells }) =>
    isNew.has(line) && cells.family === '' ? [cells.name] : [],
  )
  const leftLines = new Set([...left, ...plan.left].map(({ line }) => line))
  const byLine = (a: ForeignNote, b: ForeignNote) => a.line - b.line
  return {
    ...{ ...rest, plan, withoutFamily, left: left.sort(byLine) },
    notes: notes.filter(({ line }) => !leftLines.has(line)).sort(byLine),
  }
}

/** The message names the field already, or has no need to. */
function named(column: string | null, message: string): string {
  return column === null || message.toLowerCase().includes(column.toLowerCase().slice(0, 4))
    ? message
    : `${column}: ${message}`
}

function leaveOut(lines: ImportLine[], left: ForeignNote[], problems: Map<number, string>): ImportLine[] {
  return lines.filter(({ line, cells }) => {
    const message = problems.get(line)
    if (message !== undefined) left.push({ line, name: cells.name, message })
    return message === undefined
  })
}

/** As many as a Worker has connections. */
const atOnce = 6
/** Milliseconds, for all pictures of a file. */
const patience = 25_000
/** A Worker has so many requests to elsewhere, redirects included. */
const mostPictures = 250

const tooLate = 'There was no time for its picture: import this line in a file of its own.'

/** What is wrong with the pictures, by line: `lost` ones cannot be had, `late` ones could not be asked. Each address is asked once. */
async function inspectPictures({ inspectPicture }: Deps, lines: ImportLine[]) {
  const until = Date.now() + patience
  const waiting = [...new Set(lines.map(({ cells }) => cells.img))].filter((img) => img !== noPicture)
  const found = new Map<string, string | null>()
  const inspectNext = async () => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const isLate = Date.now() > until || found.size >= mostPictures
      found.set(address, isLate ? tooLate : await inspectPicture(address))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, inspectNext))
  const problems = lines.map(({ line, cells }) => [line, found.get(cells.img) ?? null] as const)
  const only = (isWanted: (problem: string) => boolean) =>
    new Map(problems.flatMap(([line, problem]) => (problem !== null && isWanted(problem) ? [[line, problem]] : [])))
  return { late: only((problem) => problem === tooLate), lost: only((problem) => problem !== tooLate) }
}
