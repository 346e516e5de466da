import { OAuthError, unsupported } from './refusal'

export type Parameters<Name extends string> = Partial<Record<Name, string>>

export function readParameters<Name extends string>(
  input: URLSearchParams,
  supported: readonly Name[],
): Parameters<Name> {
  for (const name of new Set(input.keys())) {
    if (!supported.some((one) => one === name)) throw unsupported(`the parameter ${name}`)
    if (input.getAll(name).length > 1) throw invalid(`OAuth 2 parameters can only have a single value: ${name}`)
  }
  return Object.fromEntries([...input].filter(([, value]) => value !== '')) as Parameters<Name>
}

export function required<Name extends string>(parameters: Parameters<Name>, name: Name): string {
  const value = parameters[name]
  if (value === undefined) throw invalid(`Missing required parameter: ${name}`)
  return value
}

export function requireSupported<Name extends string>(
  parameters: Parameters<Name>,
  name: Name,
  supported: string[],
): void {
  const value = parameters[name]
  if (value !== undefined && !supported.includes(value))
    throw unsupported(`${name}=${value}, only ${supported.join(', ')}`)
}

export function invalid(message: string): OAuthError {
  return new OAuthError(400, 'invalid_request', message)
}
