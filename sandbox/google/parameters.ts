import { Refused, unsupported } from './refusal'

export type Parameters<Name extends string> = Partial<Record<Name, string>>

export function readParameters<Name extends string>(given: URLSearchParams, known: readonly Name[]): Parameters<Name> {
  for (const name of new Set(given.keys())) {
    if (!known.some((one) => one === name)) throw unsupported(`the parameter ${name}`)
    if (given.getAll(name).length > 1) throw invalid(`OAuth 2 parameters can only have a single value: ${name}`)
  }
  return Object.fromEntries([...given].filter(([, value]) => value !== '')) as Parameters<Name>
}

export function required<Name extends string>(parameters: Parameters<Name>, name: Name): string {
  const value = parameters[name]
  if (value === undefined) throw invalid(`Missing required parameter: ${name}`)
  return value
}

export function only<Name extends string>(parameters: Parameters<Name>, name: Name, known: string[]): void {
  const value = parameters[name]
  if (value !== undefined && !known.includes(value)) throw unsupported(`${name}=${value}, only ${known.join(', ')}`)
}

export function invalid(message: string): Refused {
  return new Refused(400, 'invalid_request', message)
}
