import { readdirSync, readFileSync } from 'node:fs'

/** The drawings for `/catalog.html` by their path: without hatching, and on whole numbers, since they are shown at 96 px. */
export function smallPlates(): Record<string, string> {
  const names = readdirSync('public/plates').filter((name) => !name.endsWith('-detail.svg'))
  return Object.fromEntries(names.map((name) => [`/plates/${name}`, simplify(name)]))
}

function simplify(name: string): string {
  const prefix = name.replace('.svg', '-')
  const svg = readFileSync(`public/plates/${name}`, 'utf8')
  return svg
    .replace(/^<svg[^>]*>|<\/svg>\s*$|<style>.*?<\/style>/gs, '')
    .replace(/<rect width="320" height="320" fill="#FBF7F0"\/>/, '')
    .replace(/<path\b[^>]*\/>/g, (path) => (isHatching(path) ? '' : path))
    .replace(/ d="([^"]*)"/g, (_, path: string) => ` d="${rounded(path)}"`)
    .replace(/\b(id="|href="#)/g, `$1${prefix}`)
    .replace(/="#(\w)\w(\w)\w(\w)\w"/g, '="#$1$2$3"')
    .replace(/ stroke-line(join|cap)="round"/g, '')
    .replace(/="([\w.#-]+)"(?=[ >])/g, '=$1')
    .trim()
}

function isHatching(path: string): boolean {
  return / stroke-width="(\.[0-8]|1(\.[0-4])?)"| stroke-dasharray=/.test(path) && !/ (fill="#|id=")/.test(path)
}

/** What each number of a command is: a coordinate, or another number. */
const parameters: Record<string, string> = {
  m: 'xy', l: 'xy', t: 'xy', h: 'x', v: 'y', c: 'xyxyxy', s: 'xyxy', q: 'xyxy', a: 'nnnffxy', z: '',
} // oxfmt-ignore

/** Rounds the points themselves, so that the errors of relative steps do not add up. */
function rounded(path: string): string {
  const exact = { x: 0, y: 0 }
  const drawn = { x: 0, y: 0 }
  let start = { exact: { ...exact }, drawn: { ...drawn } }
  const parts: string[] = []
  for (const [, command = '', rest = ''] of path.matchAll(/([a-z])([^a-z]*)/gi)) {
    const kinds = parameters[command.toLowerCase()]!
    const isRelative = command === command.toLowerCase()
    const numbers = rest.match(/-?(?:\d+\.?\d*|\.\d+)/g)?.map(Number) ?? []
    const out: number[] = []
    for (let at = 0; at < numbers.length; at += kinds.length) {
      const next = { exact: { ...exact }, drawn: { ...drawn } }
      for (const [index, kind] of Array.from(kinds).entries()) {
        const number = numbers[at + index]!
        if (kind !== 'x' && kind !== 'y') {
          out.push(kind === 'n' ? Math.round(number) : number)
          continue
        }
        const target = isRelative ? exact[kind] + number : number
        const point = Math.round(target)
        out.push(isRelative ? point - drawn[kind] : point)
        next.exact[kind] = target
        next.drawn[kind] = point
      }
      Object.assign(exact, next.exact)
      Object.assign(drawn, next.drawn)
      if (command.toLowerCase() === 'm' && at === 0) start = { exact: { ...exact }, drawn: { ...drawn } }
    }
    if (kinds === '') {
      Object.assign(exact, start.exact)
      Object.assign(drawn, start.drawn)
    }
    parts.push(
      command + out.map((number, index) => (index > 0 && number >= 0 ? ` ${number}` : String(number))).join(''),
    )
  }
  return parts.join('')
}
