import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { formatted } from './format'
import { defaultWords } from '../app/shop-name'

/** What tells of this shop alone: its history, its specification, what was measured and photographed, and this command. */
const ofThisShop = [
  /^(CHANGELOG\.md|bench\/results\.md|docs\/(spec-coverage|mutation)\.md|tests\/spec-coverage\.test\.ts)$/,
  /^docs\/pictures\//,
  /(^|\/)(export-starter|starter)(\.test)?\.ts$/,
]

/** Its words are those of whoever wrote the code. */
const unchanged = /^LICENSE$/

/** Letters, digits, spaces and hyphens: the name stands in texts, code, addresses and headers of emails. The settings take any other. */
const namePattern = /^[\p{L}\d][\p{L}\d -]{0,38}[\p{L}\d]$/u

/** For hosts, keys and folders. */
function slugOf(name: string): string {
  const letters = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
  return /^[a-z]/.test(letters) ? letters : `shop${letters}`
}

/**
 * Writes a shop with another name into a new folder: the code, its tests and the documents that are not of this shop alone, and one commit if there is git. Returns
 * the number of files. Throws an error in words for a name or a folder that it cannot take.
 */
export async function exportStarter(folder: string, name: string): Promise<number> {
  if (!namePattern.test(name)) throw new Error('--name must have 2 to 40 letters, digits, spaces or hyphens.')
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`)
  const files = filesOfShop().filter((path) => !ofThisShop.some((pattern) => pattern.test(path)))
  const contents = new Map(files.map((path) => [path, readFileSync(path)]))
  for (const path of decisionsOfNobody(contents)) contents.delete(path)
  const rename = renamer(name)
  for (const [path, content] of contents) {
    const isText = !content.includes(0) && !unchanged.test(path)
    const written = isText ? await adapt(path, content.toString(), rename, contents) : content
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, written)
    chmodSync(target, statSync(path).mode)
  }
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\nWhat users and operators notice.\n\n## [Unreleased]\n')
  commit(folder, name)
  return contents.size + 1
}

function filesOfShop(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  return listed.split('\0').filter((path) => path !== '' && existsSync(path))
}

const decision = /^docs\/decisions\/0*(\d+)-/

/** Decisions that no code and no other document names: they tell how this shop came about. */
function decisionsOfNobody(contents: Map<string, Buffer>): string[] {
  const named = new Set<string>()
  for (const [path, content] of contents) {
    if (decision.test(path) || content.includes(0)) continue
    const text = content.toString()
    for (const [words] of text.matchAll(/\bdecisions?\s+\d+(?:(?:, | and )\d+)*/gi))
      for (const [number] of words.matchAll(/\d+/g)) named.add(number)
    for (const [, number] of text.matchAll(/decisions\/0*(\d+)-/g)) named.add(number!)
  }
  return [...contents.keys()].filter((path) => decision.test(path) && !named.has(decision.exec(path)![1]!))
}

function renamer(name: string): (text: string) => string {
  const [was, slug] = [defaultWords.name, slugOf(name)]
  return (text) =>
    text.replaceAll(was, name).replaceAll(was.toLowerCase(), slug).replaceAll(was.toUpperCase(), slug.toUpperCase())
}

async function adapt(
  path: string,
  text: string,
  rename: (text: string) => string,
  contents: Map<string, Buffer>,
): Promise<string> {
  let result = text
  if (path.endsWith('.md')) result = withoutDeadLinks(path, result, contents)
  if (path === 'dev/named-scripts.ts') result = result.replace(/^ *\[\s*'export-starter',[^\]]*\],\n/m, '')
  result = rename(result)
  if (result === text || !/\.(tsx?|mjs|json|md|css)$/.test(path) || path === 'package-lock.json') return result
  // Longer and shorter words break lines elsewhere.
  return formatted(path, result)
}

/** Without the rows of tables and the paragraphs that are about what is left out; of other links the words stay. */
function withoutDeadLinks(path: string, text: string, contents: Map<string, Buffer>): string {
  const isDead = (target: string) => {
    const file = posix.normalize(posix.join(posix.dirname(path), target.replace(/#.*/, '')))
    return (
      !/^(\w+:|#|\/)/.test(target) &&
      !contents.has(file) &&
      ![...contents.keys()].some((each) => each.startsWith(`${file}/`))
    )
  }
  return text
    .split('\n\n')
    .map((block) => withoutSentences(block, isDead))
    .join('\n\n')
    .replace(/^\| \[[^\]]+\]\(([^)]+)\).*\n/gm, (row, target: string) =>
      isDead(target) && target !== 'CHANGELOG.md' ? '' : row,
    )
    .replace(/^!\[[^\]]*\]\(([^)]+)\)\n\n/gm, (picture, target: string) => (isDead(target) ? '' : picture))
    .replace(/^`npm run task -- export-starter[^]*?\n\n/gm, '')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, target: string) =>
      isDead(target) && !target.endsWith('CHANGELOG.md') ? words : link,
    )
}

/** Without those that begin with a link to nowhere. */
function withoutSentences(block: string, isDead: (target: string) => boolean): string {
  return block.replace(/(?<=\.)\s\[[^\]]+\]\(([^)\s]+)\)[^.]+\.(?!\S)/g, (sentence, target: string) =>
    isDead(target) ? '' : sentence,
  )
}

/** Nothing without git. */
function commit(folder: string, name: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    git('--version')
  } catch {
    return
  }
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  const message = ['commit', '--quiet', '--no-verify', '-m', `Begin ${name}`]
  try {
    git(...message)
  } catch {
    // Git does not know whose commit it is.
    git('-c', `user.name=${name}`, '-c', `user.email=shop@${slugOf(name)}.example`, ...message)
  }
}
