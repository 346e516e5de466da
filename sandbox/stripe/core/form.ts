import { invalid } from './refusal'

export interface Form {
  [name: string]: string | Form
}

const deepest = 8
const most = 1000

export function parseForm(text: string): Form {
  const root = branch()
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > most) throw invalid(`Too many parameters: ${pairs.length}, and at most ${most} are read.`)
  for (const [key, value] of pairs) {
    const names = namesOf(key)
    if (names.length > deepest) throw invalid(`Invalid parameter: it is nested deeper than ${deepest} levels.`)
    let at = root
    for (const [i, name] of names.entries()) {
      const position = name === '' ? String(Object.keys(at).length) : name
      if (i === names.length - 1) {
        at[position] = value
      } else {
        const below = at[position]
        at = typeof below === 'object' ? below : (at[position] = branch())
      }
    }
  }
  return root
}

/** No prototype: `constructor` is an ordinary parameter name. */
function branch(): Form {
  return Object.create(null) as Form
}

function namesOf(key: string): string[] {
  const open = key.indexOf('[')
  if (open <= 0 || !key.endsWith(']')) return [key]
  return [key.slice(0, open), ...key.slice(open + 1, -1).split('][')]
}

export function joinNames(names: string[]): string {
  return names.reduce((path, name) => (path === '' ? name : `${path}[${name}]`), '')
}

/** `#` matches any index, `*` any name. Unknown parameters fail, so that the shop cannot rely on something unsupported. */
export function allowOnly(form: Form, patterns: string[]): void {
  for (const names of leaves(form)) {
    if (!patterns.some((pattern) => matches(namesOf(pattern), names))) {
      const path = joinNames(names)
      throw invalid(`Received unknown parameter: ${path}`, { code: 'parameter_unknown', param: path })
    }
  }
}

function leaves(form: Form, above: string[] = []): string[][] {
  return Object.entries(form).flatMap(([name, value]) =>
    typeof value === 'string' ? [[...above, name]] : leaves(value, [...above, name]),
  )
}

function matches(pattern: string[], names: string[]): boolean {
  return (
    pattern.length === names.length &&
    pattern.every((part, i) => part === '*' || (part === '#' ? /^\d+$/.test(names[i]!) : part === names[i]))
  )
}

function at(form: Form, path: string): string | Form | undefined {
  return namesOf(path).reduce<string | Form | undefined>(
    (found, name) => (typeof found === 'object' ? found[name] : undefined),
    form,
  )
}

export function branchAt(form: Form, path: string): Form | undefined {
  const found = at(form, path)
  return typeof found === 'object' ? found : undefined
}

export function textAt(form: Form, path: string): string | undefined {
  const found = at(form, path)
  if (typeof found === 'object') throw invalid(`Invalid string: ${path}`, { param: path })
  if (found === '') {
    throw invalid(
      `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; however '${path}' cannot be unset.`,
      { code: 'parameter_invalid_empty', param: path },
    )
  }
  return found
}

export function requireText(form: Form, path: string): string {
  return textAt(form, path) ?? refuseMissing(path)
}

export function urlAt(form: Form, path: string): string | undefined {
  const url = textAt(form, path)
  if (url === undefined || (/^https?:\/\//.test(url) && URL.canParse(url))) return url
  throw invalid('Not a valid URL', { code: 'url_invalid', param: path })
}

export function integerAt(form: Form, path: string, least = 0): number | undefined {
  const text = textAt(form, path)
  if (text === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(text)) {
    throw invalid(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: path })
  }
  const value = Number(text)
  if (value < least) {
    throw invalid(`This value must be greater than or equal to ${least}.`, {
      code: 'parameter_invalid_integer',
      param: path,
    })
  }
  return value
}

export function requireInteger(form: Form, path: string, least = 0): number {
  return integerAt(form, path, least) ?? refuseMissing(path)
}

export function booleanAt(form: Form, path: string): boolean | undefined {
  const text = choiceAt(form, path, ['true', 'false'])
  return text === undefined ? undefined : text === 'true'
}

export function choiceAt<T extends string>(form: Form, path: string, choices: readonly T[]): T | undefined {
  const text = textAt(form, path)
  if (text === undefined) return undefined
  const choice = choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw invalid(`Invalid ${path}: must be one of ${choices.join(', ')}`, { param: path })
}

export function textsAt(form: Form, path: string): string[] | undefined {
  const list = branchAt(form, path)
  return list && Object.keys(list).map((index) => requireText(form, `${path}[${index}]`))
}

export function refuseMissing(path: string): never {
  throw invalid(`Missing required param: ${path}.`, { code: 'parameter_missing', param: path })
}
