import { randomUUID } from 'node:crypto'
import { json } from '../json-response'
import type { Faults } from '../faults'
import { inboxPage } from './inbox'
import { mailApiKey } from '../keys'
import type { StateFile } from '../state-file'
import type { SentEmail } from './sent-email'

interface Kept {
  mails: SentEmail[]
  keys: Record<string, { body: string; id: string; at: number }>
}

interface Surroundings {
  memory: StateFile
  now: () => number
  faults: Faults
  log: (line: string) => void
}

const day = 24 * 3600 * 1000

/** https://resend.com/docs/api-reference/emails/send-email */
export function fakeResend({ memory, now, faults, log }: Surroundings) {
  const kept = memory.recall('mail') as Kept | undefined
  let mails = kept?.mails ?? []
  const keys = new Map(Object.entries(kept?.keys ?? {}).filter(([, { at }]) => at > now() - day))
  memory.keep('mail', () => ({ mails, keys: Object.fromEntries(keys) }) satisfies Kept)

  async function send(request: Request): Promise<Response> {
    if (!request.headers.get('user-agent')) return blocked(log)
    const authorization = request.headers.get('authorization')
    if (!authorization) return refusal(401, 'missing_api_key', 'Missing API key in the authorization header')
    if (authorization !== `Bearer ${mailApiKey}`) return refusal(403, 'invalid_api_key', 'API key is invalid')
    const body = await request.text()
    return faults.around(
      'mail',
      request,
      () => accept(body, request.headers.get('idempotency-key')),
      (status) => refusal(status, 'application_error', 'The sandbox was told to fail.'),
    )
  }

  function accept(body: string, key: string | null): Response {
    if (key !== null && (key === '' || key.length > 256)) {
      return refusal(400, 'invalid_idempotency_key', 'The idempotency key must be between 1 and 256 characters long.')
    }
    const earlier = key === null ? undefined : keys.get(key)
    if (earlier) {
      if (earlier.body === body) return json(200, { id: earlier.id })
      return refusal(409, 'invalid_idempotent_request', 'Same idempotency key used with a different request payload.')
    }
    const mail = readMail(body, now())
    if (typeof mail === 'string') {
      log(`mail: refused a message: ${mail}`)
      return refusal(422, 'validation_error', mail)
    }
    mails.push(mail)
    if (key !== null) keys.set(key, { body, id: mail.id, at: now() })
    memory.changed()
    return json(200, { id: mail.id })
  }

  function list(wanted: string | null): SentEmail[] {
    const newestFirst = mails.toReversed()
    if (wanted === null) return newestFirst
    return newestFirst.filter(({ to }) =>
      to.split(', ').some((recipient) => addressOf(recipient) === addressOf(wanted)),
    )
  }

  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const call = `${request.method} ${pathname}`
    if (call === 'POST /emails') return send(request)
    if (call === 'GET /mail') return json(200, list(searchParams.get('to')))
    if (call === 'GET /') return inboxPage(list(searchParams.get('to')))
    if (call === 'DELETE /mail') {
      mails = []
      memory.changed()
      return new Response(null, { status: 204 })
    }
    log(`mail: the sandbox does not know ${call}`)
    return refusal(501, 'not_implemented', `The sandbox does not know ${call}.`)
  }
}

/** https://resend.com/docs/knowledge-base/403-error-1010 */
function blocked(log: (line: string) => void): Response {
  log('mail: refused a request without a User-Agent')
  return new Response('error code: 1010', { status: 403, headers: { 'content-type': 'text/plain; charset=UTF-8' } })
}

function refusal(statusCode: number, name: string, message: string): Response {
  return json(statusCode, { statusCode, name, message })
}

const known = ['from', 'to', 'subject', 'html', 'text', 'reply_to']
const address = /^[^\s<>@,]+@[^\s<>@,]+\.[^\s<>@,]+$/

function readMail(body: string, at: number): SentEmail | string {
  const fields = readObject(body)
  if (!fields) return 'The body must be a JSON object.'
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown !== undefined) return `The sandbox does not know the field \`${unknown}\`. Known: ${known.join(', ')}.`

  const { from, subject, text = null, html = null } = fields
  const to = addressesOf(fields.to)
  const replyTo = fields.reply_to === undefined ? [] : addressesOf(fields.reply_to)
  if (typeof from !== 'string') return 'Missing `from` field.'
  if (!address.test(addressOf(from))) return invalidAddress('from')
  if (fields.to === undefined) return 'Missing `to` field.'
  if (!to || to.length === 0 || to.length > 50) return invalidAddress('to')
  if (!replyTo) return invalidAddress('reply_to')
  if (typeof subject !== 'string' || subject === '') return 'Missing `subject` field.'
  if (/[\r\n]/.test(subject)) return 'The `subject` field must be one line.'
  if (text === null && html === null) return 'Missing `html` or `text` field.'
  if (text !== null && typeof text !== 'string') return 'The `text` field must be a string.'
  if (html !== null && typeof html !== 'string') return 'The `html` field must be a string.'
  return {
    id: randomUUID(),
    from,
    to: to.join(', '),
    replyTo: replyTo.join(', ') || null,
    subject,
    text,
    html,
    at: new Date(at).toISOString(),
  }
}

function readObject(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

function invalidAddress(field: string): string {
  return `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or \`Name <email@example.com>\` format.`
}

function addressesOf(value: unknown): string[] | null {
  const all: unknown[] = Array.isArray(value) ? value : [value]
  const strings = all.filter((one) => typeof one === 'string')
  return strings.length === all.length && strings.every((one) => address.test(addressOf(one))) ? strings : null
}

function addressOf(recipient: string): string {
  const bracketed = /^[^<>\r\n]*<([^<>]*)>\s*$/.exec(recipient)
  return (bracketed?.[1] ?? recipient).trim().toLowerCase()
}
