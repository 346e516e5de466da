import type { SubmissionResult } from '@conform-to/dom'
import { parseWithZod } from '@conform-to/zod/v4'
import { data, type TypedResponse } from '@remix-run/cloudflare'
import type { z } from 'zod'
import { Refusal } from '../store/refusal'
import { statusOf } from './refusals'

/** Bytes that a form may have: enough to show a text that is far too long again, with the message beside it. */
const mostBytes = 512 * 1024

/** Fields that are never sent back. */
const secrets = ['password']

/**
 * The page's door to a command: parses the form, runs `command` with what was wanted, and, if the form breaks a rule or
 * the command refuses, shows the form again with the messages beside the fields and what was typed still there.
 */
export async function submit<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  command: (wanted: z.output<Schema>) => Promise<TypedResponse<never>>,
) {
  const submission = parseWithZod(await readForm(request), { schema })
  if (submission.status !== 'success') return again(submission.reply({ hideFields: secrets }), 422)
  try {
    return await command(submission.value)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const formErrors = error.message ? [error.message] : undefined
    return again(submission.reply({ formErrors, fieldErrors: error.fields, hideFields: secrets }), statusOf(error.code))
  }
}

function again(lastResult: SubmissionResult, status: number) {
  return data({ lastResult }, { status })
}

/** The form in a request; throws the answer to one that is no form, is broken, or is too large. */
async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) {
    throw new Response('This address takes forms.', { status: 415 })
  }
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge()
  const body = await readAtMost(request, mostBytes)
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new Response('The form could not be read.', { status: 400 })
  }
}

async function readAtMost(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    size += chunk.value.byteLength
    if (size > most) {
      await reader?.cancel()
      throw tooLarge()
    }
    chunks.push(chunk.value)
  }
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
  }
  return body
}

function tooLarge(): Response {
  return new Response('This form is too large.', { status: 413 })
}
