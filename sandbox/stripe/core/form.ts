import { invalid } from './refusal'

export interface Form {
  [name: string]: string | Form
}

const maxDepth = 8
const maxParameters = 1000

export function parseForm(text: string): Form {
  const root = emptyForm()
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > maxParameters)
    throw invalid(`Too many parameters: ${pairs.length}, and at most ${maxParameters} are read.`)
  for (const [key, value] of pairs) {
    const names = splitPath(key)
    if (names.length > maxDepth) throw invalid(`Invalid parameter: it is nested deeper than ${maxDepth} levels.`)
    let lookUp = root
    for (const [i, name] of names.entries()) {
      const position = name === '' ? String(Object.keys(lookUp).length) : name
      if (i === names.length - 1) {
        lookUp[position] = value
      } else {
        const child = lookUp[position]
        lookUp = typeof child === 'object' ? child : (lookUp[position] = emptyForm())
      }
    }
  }
  return root
}

/** No prototype: `constructor` is an ordinary parameter name. */
function emptyForm(): Form {
  return Object.create(null) as Form
}

function splitPath(key: string): string[] {
  const open = key.indexOf('[')
  if (open <= 0 || !key.endsWith(']')) return [key]
  return [key.slice(0, open), ...key.slice(open + 1, -1).split('][')]
}

export function joinNames(names: string[]): string {
  return names.reduce((path, name) => (path === '' ? name : `${path}[${name}]`), '')
}

/** `#` matches any index, `*` any name. Unknown parameters fail: the shop must not rely on them. */
export function allowOnly(form: Form, patterns: string[]): void {
  for (const names of leaves(form)) {
    if (!patterns.some((pattern) => matches(splitPath(pattern), names))) {
      const path = joinNames(names)
      throw invalid(`Received unknown parameter: ${path}`, { code: 'parameter_unknown', param: path })
    }
  }
}

function leaves(form: Form, parents: string[] = []): string[][] {
  return Object.entries(form).flatMap(([name, value]) =>
    typeof value === 'string' ? [[...parents, name]] : leaves(value, [...parents, name]),
  )
}

function matches(pattern: string[], names: string[]): boolean {
  return (
    pattern.length === names.length &&
    pattern.every((part, i) => part === '*' || (part === '#' ? /^\d+$/.test(names[i]!) : part === names[i]))
  )
}

function lookUp(form: Form, path: string): string | Form | undefined {
  return splitPath(path).reduce<string | Form | undefined>(
    (value, name) => (typeof value === 'object' ? value[name] : undefined),
    form,
  )
}

export function formAt(form: Form, path: string): Form | undefined {
  const value = lookUp(form, path)
  return typeof value === 'object' ? value : undefined
}

export function textAt(form: Form, path: string): string | undefined {
  const value = lookUp(form, path)
  if (typeof value === 'object') throw invalid(`Invalid string: ${path}`, { param: path })
  if (value === '') {
    throw invalid(
      `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; however '${path}' cannot be unset.`,
      { code: 'parameter_invalid_empty', param: path },
    )
  }
  return value
}

export function requireText(form: Form, path: string): string {
  return textAt(form, path) ?? throwMissing(path)
}

export function urlAt(form: Form, path: string): string | undefined {
  const url = textAt(form, path)
  if (url === undefined || (/^https?:\/\//.test(url) && URL.canParse(url))) return url
  throw invalid('Not a valid URL', { code: 'url_invalid', param: path })
}

export function integerAt(form: Form, path: string, min = 0): number | undefined {
  const text = textAt(form, path)
  if (text === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(text)) {
    throw invalid(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: path })
  }
  const value = Number(text)
  if (value < min) {
    throw invalid(`This value must be greater than or equal to ${min}.`, {
      code: 'parameter_invalid_integer',
      param: path,
    })
  }
  return value
}

export function requireInteger(form: Form, path: string, min = 0): number {
  return integerAt(form, path, min) ?? throwMissing(path)
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
  const list = formAt(form, path)
  return list && Object.keys(list).map((index) => requireText(form, `${path}[${index}]`))
}

export function throwMissing(path: string): never {
  throw invalid(`Missing required param: ${path}.`, { code: 'parameter_missing', param: path })
}
