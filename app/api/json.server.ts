import type { z } from 'zod'
import { cleanText } from '../store/shared/clean-text.server'
import { Refusal } from '../store/shared/refusal'
import { readAtMost } from '../http/request/body.server'
import { cutText } from '../store/shared/text'

const usualBytes = 64 * 1024

export class MalformedRequest extends Error {
  constructor(
    readonly status: 400 | 413 | 415,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  maxBytes = usualBytes,
): Promise<z.output<Schema>> {
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(request.headers.get('content-type') ?? '')) {
    throw new MalformedRequest(415, 'wrong-type', 'Send the body as application/json.')
  }
  const body = await readAtMost(request, maxBytes).catch(() => {
    throw new MalformedRequest(400, 'malformed', 'The body arrived incomplete.')
  })
  if (!body) throw new MalformedRequest(413, 'too-large', `The body must be at most ${maxBytes} bytes.`)
  return validate(schema, parse(body))
}

export function readQuery<Schema extends z.ZodType>({ url }: Request, schema: Schema): z.output<Schema> {
  const entries = [...new URL(url).searchParams]
  const names = new Set<string>()
  for (const [name] of entries) {
    if (names.has(name)) throw invalid({ [cutText(name, 100)]: ['Name each field once'] })
    names.add(name)
  }
  return validate(schema, Object.fromEntries(entries))
}

function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  const bodyErrors: string[] = []
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join('.')
    const names = issue.code === 'unrecognized_keys' ? issue.keys : field ? [field] : []
    const message = issue.code === 'unrecognized_keys' ? 'Unknown field' : issue.message
    if (names.length === 0) bodyErrors.push(message)
    for (const name of names.slice(0, 20)) (fields[cutText(name, 100)] ??= []).push(message)
  }
  throw invalid(fields, bodyErrors[0])
}

function invalid(fields: Record<string, string[]>, message = 'Some fields are not valid.'): Refusal {
  return new Refusal('invalid', message, { fields })
}

function parse(body: Uint8Array): unknown {
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    value = JSON.parse(text, cleanField)
  } catch {
    throw new MalformedRequest(400, 'malformed', 'The body is not JSON.')
  }
  if (!isWellFormed(text)) throw new MalformedRequest(400, 'malformed', 'The body contains invalid Unicode.')
  const duplicate = duplicateKey(text)
  if (duplicate !== null) throw invalid({ [cutText(duplicate, 100)]: ['Name each field once'] })
  return value
}

const strings = /"(?:[^"\\]|\\.)*"/gs

/** Names that are compared and not stored stay as they came: those of old rows may not be clean. */
function cleanField(field: string, value: unknown): unknown {
  return typeof value === 'string' && !['productName', 'customerName'].includes(field) ? cleanText(value) : value
}

/** The database fails on a lone surrogate. */
function isWellFormed(json: string): boolean {
  if (!/\\ud[89a-f]/i.test(json)) return true
  return [...json.matchAll(strings)].every(([string]) => (JSON.parse(string) as string).isWellFormed())
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs

/** JSON.parse silently uses the last of two equal keys. */
function duplicateKey(json: string): string | null {
  const objects: (Set<string> | null)[] = []
  let previous = ''
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{') objects.push(new Set())
    else if (token === '[') objects.push(null)
    else if (token === '}' || token === ']') objects.pop()
    else if (token === ':') {
      const name = JSON.parse(previous) as string
      const names = objects.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
    previous = token
  }
  return null
}
