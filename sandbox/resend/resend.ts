import { randomUUID } from 'node:crypto'
import { json } from '../json-response'
import type { FaultController } from '../faults'
import { inboxPage } from './inbox'
import { mailApiKey } from '../keys'
import type { StateFile } from '../state-file'
import type { SentEmail } from './sent-email'

interface FakeResendOptions {
  stateFile: StateFile
  now: () => number
  faults: FaultController
  log: (line: string) => void
}

const dayMs = 24 * 3600 * 1000

/** https://resend.com/docs/api-reference/emails/send-email */
export function fakeResend({ stateFile, now, faults, log }: FakeResendOptions) {
  const emails = stateFile.map<SentEmail>('mail.mails')
  const keys = stateFile.map<{ body: string; id: string; at: number }>('mail.keys')
  for (const [key, { at }] of keys) if (at <= now() - dayMs) keys.delete(key)

  async function send(request: Request): Promise<Response> {
    if (!request.headers.get('user-agent')) return userAgentRequired(log)
    const authorization = request.headers.get('authorization')
    if (!authorization) return errorResponse(401, 'missing_api_key', 'Missing API key in the authorization header')
    if (authorization !== `Bearer ${mailApiKey}`) return errorResponse(403, 'invalid_api_key', 'API key is invalid')
    const body = await request.text()
    return faults.run(
      'mail',
      request,
      () => accept(body, request.headers.get('idempotency-key')),
      (status) => errorResponse(status, 'application_error', 'The sandbox fails on purpose.'),
    )
  }

  function accept(body: string, key: string | null): Response {
    if (key !== null && (key === '' || key.length > 256)) {
      return errorResponse(
        400,
        'invalid_idempotency_key',
        'The idempotency key must be between 1 and 256 characters long.',
      )
    }
    const earlier = key === null ? undefined : keys.get(key)
    if (earlier) {
      if (earlier.body === body) return json(200, { id: earlier.id })
      return errorResponse(
        409,
        'invalid_idempotent_request',
        'Same idempotency key used with a different request payload.',
      )
    }
    const email = readEmail(body, now())
    if (typeof email === 'string') {
      log(`mail: refused a message: ${email}`)
      return errorResponse(422, 'validation_error', email)
    }
    emails.set(email.id, email)
    if (key !== null) keys.set(key, { body, id: email.id, at: now() })
    stateFile.write()
    return json(200, { id: email.id })
  }

  function list(recipientFilter: string | null): SentEmail[] {
    const newestFirst = [...emails.values()].reverse()
    if (recipientFilter === null) return newestFirst
    return newestFirst.filter(({ to }) =>
      to.split(', ').some((recipient) => bareAddress(recipient) === bareAddress(recipientFilter)),
    )
  }

  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const call = `${request.method} ${pathname}`
    if (call === 'POST /emails') return send(request)
    if (call === 'GET /mail') return json(200, list(searchParams.get('to')))
    if (call === 'GET /') return inboxPage(list(searchParams.get('to')))
    if (call === 'DELETE /mail') {
      emails.clear()
      stateFile.write()
      return new Response(null, { status: 204 })
    }
    log(`mail: the sandbox does not know ${call}`)
    return errorResponse(501, 'not_implemented', `The sandbox does not know ${call}.`)
  }
}

/** https://resend.com/docs/knowledge-base/403-error-1010 */
function userAgentRequired(log: (line: string) => void): Response {
  log('mail: refused a request without a User-Agent')
  return new Response('error code: 1010', { status: 403, headers: { 'content-type': 'text/plain; charset=UTF-8' } })
}

function errorResponse(statusCode: number, name: string, message: string): Response {
  return json(statusCode, { statusCode, name, message })
}

const supportedFields = ['from', 'to', 'subject', 'html', 'text', 'reply_to', 'headers']
const addressPattern = /^[^\s<>@,]+@[^\s<>@,]+\.[^\s<>@,]+$/

function readEmail(body: string, at: number): SentEmail | string {
  const fields = readObject(body)
  if (!fields) return 'The body must be a JSON object.'
  const unknown = Object.keys(fields).find((name) => !supportedFields.includes(name))
  if (unknown !== undefined)
    return `The sandbox does not know the field \`${unknown}\`. Known: ${supportedFields.join(', ')}.`

  const { from, subject, text = null, html = null, headers = {} } = fields
  const to = readAddresses(fields.to)
  const replyTo = fields.reply_to === undefined ? [] : readAddresses(fields.reply_to)
  if (typeof from !== 'string') return 'Missing `from` field.'
  if (!addressPattern.test(bareAddress(from))) return invalidAddress('from')
  if (fields.to === undefined) return 'Missing `to` field.'
  if (!to || to.length === 0 || to.length > 50) return invalidAddress('to')
  if (!replyTo) return invalidAddress('reply_to')
  if (typeof subject !== 'string' || subject === '') return 'Missing `subject` field.'
  if (/[\r\n]/.test(subject)) return 'The `subject` field must be one line.'
  if (text === null && html === null) return 'Missing `html` or `text` field.'
  if (text !== null && typeof text !== 'string') return 'The `text` field must be a string.'
  if (html !== null && typeof html !== 'string') return 'The `html` field must be a string.'
  if (!isHeaders(headers)) return 'The `headers` field must be an object of one-line strings.'
  return {
    id: randomUUID(),
    from,
    to: to.join(', '),
    replyTo: replyTo.join(', ') || null,
    subject,
    text,
    html,
    headers,
    at: new Date(at).toISOString(),
  }
}

function isHeaders(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((text) => typeof text === 'string' && !/[\r\n]/.test(text))
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

function readAddresses(value: unknown): string[] | null {
  const all: unknown[] = Array.isArray(value) ? value : [value]
  const strings = all.filter((one) => typeof one === 'string')
  return strings.length === all.length && strings.every((one) => addressPattern.test(bareAddress(one))) ? strings : null
}

function bareAddress(recipient: string): string {
  const bracketed = /^[^<>\r\n]*<([^<>]*)>\s*$/.exec(recipient)
  return (bracketed?.[1] ?? recipient).trim().toLowerCase()
}
