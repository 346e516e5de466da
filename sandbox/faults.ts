import { setTimeout as wait } from 'node:timers/promises'
import { json } from './json-response'

const services = ['stripe', 'mail', 'google'] as const
type ServiceName = (typeof services)[number]

interface Fault {
  /** "POST /v1/refunds" limits the fault to this method and path prefix; null means every request. */
  only: string | null
  failNext: number
  /** 500 comes from the service itself, any other status from a proxy in front of it. */
  status: number
  /** `reset` cuts the connection, `garbage` is a 200 without JSON. */
  answer: 'status' | 'reset' | 'garbage'
  /** Extra milliseconds for every request until the faults are cleared. */
  delayMs: number
  /** Before or after the request had its effect. */
  when: 'before' | 'after'
  /** Failing requests get no response at all. */
  hang: boolean
  webhooks: 'drop' | 'twice' | 'late' | 'reorder' | null
}

const noFault: Fault = {
  only: null,
  failNext: 0,
  status: 500,
  answer: 'status',
  delayMs: 0,
  when: 'before',
  hang: false,
  webhooks: null,
}

export class InterruptedRequest extends Error {
  constructor(readonly response: Response) {
    super('The sandbox fails on purpose.')
  }
}

/** `front` is a proxy (any status but 500, reset, garbage, hang), `core` the service itself (500, delay). */
type Layer = 'either' | 'front' | 'core'

export interface FaultController {
  of(service: ServiceName): Readonly<Fault>
  run<T>(
    service: ServiceName,
    request: Request,
    effect: () => T | Promise<T>,
    errorResponse: (status: number) => T,
    layer?: Layer,
  ): Promise<T>
  handle(request: Request): Promise<Response>
}

export function createFaults(): FaultController {
  let faults = noFaults()

  function takeFault(service: ServiceName, request: Request, layer: Layer): Fault | null {
    const fault = faults[service]
    const faultLayer: Layer = fault.hang || fault.answer !== 'status' || fault.status !== 500 ? 'front' : 'core'
    if (fault.failNext === 0 || !matchesRequest(fault, request) || (layer !== 'either' && layer !== faultLayer))
      return null
    const failure = { ...fault }
    fault.failNext -= 1
    return failure
  }

  return {
    of: (service) => faults[service],

    async run(service, request, effect, errorResponse, layer = 'either') {
      const { when, delayMs } = faults[service]
      const delay = layer === 'front' || !matchesRequest(faults[service], request) ? 0 : delayMs
      const failure = takeFault(service, request, layer)
      if (when === 'before' && delay > 0) await wait(delay)
      if (failure?.when === 'before') return failRequest(failure, errorResponse)
      const response = await effect()
      if (when === 'after' && delay > 0) await wait(delay)
      if (!failure) return response
      return failRequest(failure, errorResponse)
    },

    async handle(request) {
      if (request.method === 'GET') return json(200, faults)
      if (request.method === 'DELETE') {
        faults = noFaults()
        return json(200, faults)
      }
      if (request.method !== 'POST') return json(405, { error: 'GET, POST or DELETE' }, { allow: 'GET, POST, DELETE' })
      try {
        const input: unknown = JSON.parse(await request.text())
        faults = merge(faults, input)
        return json(200, faults)
      } catch (error) {
        return json(400, { error: error instanceof Error ? error.message : String(error) })
      }
    },
  }
}

function matchesRequest({ only }: Fault, request: Request): boolean {
  return only === null || `${request.method} ${new URL(request.url).pathname}`.startsWith(only)
}

function failRequest<T>({ hang, answer, status }: Fault, errorResponse: (status: number) => T): T | Promise<never> {
  if (hang) return neverRespond()
  if (answer === 'reset') throw new InterruptedRequest(Response.error())
  if (answer === 'garbage')
    throw new InterruptedRequest(new Response(garbage, { headers: { 'content-type': 'text/html' } }))
  return errorResponse(status)
}

const garbage = '<html><body>It works!</body></html>'

function neverRespond(): Promise<never> {
  return new Promise(() => undefined)
}

function noFaults(): Record<ServiceName, Fault> {
  return { stripe: { ...noFault }, mail: { ...noFault }, google: { ...noFault } }
}

const checks: Record<keyof Fault, (value: unknown) => boolean> = {
  only: (value) => value === null || (typeof value === 'string' && /^(GET|POST|PUT|PATCH|DELETE) \/\S*$/.test(value)),
  failNext: (value) => isIntegerBetween(value, 0, 1_000_000),
  status: (value) => isIntegerBetween(value, 400, 599),
  answer: (value) => ['status', 'reset', 'garbage'].includes(value as string),
  delayMs: (value) => isIntegerBetween(value, 0, 600_000),
  when: (value) => value === 'before' || value === 'after',
  hang: (value) => typeof value === 'boolean',
  webhooks: (value) => value === null || ['drop', 'twice', 'late', 'reorder'].includes(value as string),
}

function merge(now: Record<ServiceName, Fault>, input: unknown): Record<ServiceName, Fault> {
  const next = structuredClone(now)
  for (const [name, changes] of entriesOf(input, 'The body')) {
    const service = services.find((isKnown) => isKnown === name)
    if (!service) throw new Error(`Unknown service: ${name}. Known: ${services.join(', ')}.`)
    for (const [key, value] of entriesOf(changes, name)) {
      const isKnown = Object.hasOwn(checks, key) && (key !== 'webhooks' || service === 'stripe')
      if (!isKnown) throw new Error(`Unknown fault: ${name}.${key}. Known: ${Object.keys(checks).join(', ')}.`)
      if (!checks[key as keyof Fault](value)) throw new Error(`Invalid ${name}.${key}: ${JSON.stringify(value)}`)
      Object.assign(next[service], { [key]: value })
    }
    if (next[service].hang && next[service].failNext === 0) {
      throw new Error(`${name}.hang needs ${name}.failNext: how many requests get no response.`)
    }
  }
  return next
}

function entriesOf(value: unknown, name: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} must be an object.`)
  return Object.entries(value)
}

function isIntegerBetween(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}
