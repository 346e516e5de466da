import type { SubmissionResult } from '@conform-to/dom'
import { parseWithZod } from '@conform-to/zod/v4'
import { data, type AppLoadContext, type TypedResponse } from '@remix-run/cloudflare'
import type { z } from 'zod'
import { Refusal } from '../store/refusal'
import { newId } from '../store/ids.server'
import { readAtMost } from './body.server'
import { browserCache } from './headers.server'
import { logError } from './log.server'
import { statusOf } from './errors'
import { takeRestoredSubmissionId } from './submission.server'

/** Bytes that a form may have: enough to show a text that is far too long again, with the message beside it. */
const maxBytes = 512 * 1024

/** Fields that are never sent back. */
const hiddenFields = ['password']

/**
 * The page's door to a command: parses the form, runs `command` with what was wanted, and, if the form breaks a rule or
 * the command refuses, shows the form again with the messages beside the fields and what was typed still there.
 */
export async function submit<Schema extends z.ZodType>(
  { request, context }: { request: Request; context: AppLoadContext },
  schema: Schema,
  command: (wanted: z.output<Schema>) => Promise<TypedResponse<never>>,
) {
  const submission = parseWithZod(takeRestoredSubmissionId(await readForm(request)), { schema })
  if (submission.status !== 'success') return formErrorResponse(submission.reply({ hideFields: hiddenFields }), 422)
  try {
    return await command(submission.value)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.cause) logError(context.requestId, error.cause)
    const formErrors = error.message ? [error.message] : undefined
    const reply = submission.reply({ formErrors, fieldErrors: error.fields, hideFields: hiddenFields })
    return formErrorResponse(reply, statusOf(error.code), error)
  }
}

function formErrorResponse(
  lastResult: SubmissionResult,
  status: number,
  { retryAfter, isUsed }: Partial<Refusal> = {},
) {
  const headers = new Headers()
  if (retryAfter) headers.set('retry-after', String(retryAfter))
  const { initialValue, error } = lastResult
  if (initialValue && 'submissionId' in initialValue) {
    headers.set('cache-control', browserCache)
    // Under a number that is used, or is none, the form would be refused each time.
    if (isUsed || error?.submissionId) initialValue.submissionId = newId()
  }
  return data({ lastResult }, { status, headers })
}

/** The form in a request; throws the answer to one that is no form, is broken, or is too large. */
export async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) {
    throw new Response('This address takes forms.', { status: 415 })
  }
  const body = await readAtMost(request, maxBytes).catch(() => {
    throw new Response('This form broke off.', { status: 400 })
  })
  if (!body) throw new Response('This form is too large.', { status: 413 })
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
  if (!form || !isPlain(form)) throw new Response('This form could not be read.', { status: 400 })
  return form
}

/**
 * Our forms have a few fields with plain names, each once. conform would make lists and objects of other names, in time
 * that grows with the square of their number, and read commands from names with underscores.
 */
function isPlain(form: FormData): boolean {
  const names = [...form.keys()]
  return names.length <= 30 && new Set(names).size === names.length && names.every((name) => /^[a-z]\w*$/i.test(name))
}
