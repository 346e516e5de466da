import type { SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { configureCoercion } from '@conform-to/zod/v4/future'
import { data, type AppLoadContext, type TypedResponse } from '@remix-run/cloudflare'
import type { z } from 'zod'
import { cleanText } from '../../store/shared/clean-text.server'
import { Refusal } from '../../store/shared/refusal'
import { newId } from '../../store/shared/ids.server'
import { withSubmission } from '../../store/shared/submissions.server'
import { deleteDraft } from '../auth/drafts.server'
import { readWholeNumber } from '../../store/shared/money'
import { readAtMost } from './body.server'
import { browserCache } from '../response/headers.server'
import { logRefusal } from '../log.server'
import { statusOf } from '../response/errors'
import { takeRestoredSubmissionId } from './submission.server'
import { maxRows, numberRows } from '../../ui/form-rows'
import { translate } from '../../i18n/translate'

/** Large enough to show a text that is too long again, with its error message. */
const maxBytes = 512 * 1024
/** Of a form with a file. */
const maxDiscarded = 64 * 1024 * 1024

const hiddenFields = ['password', 'code']

/** Every number of a form is a whole one: dollars are texts (`typedDollarsInCents`). */
const { coerceFormValue } = configureCoercion({ type: { number: (text) => readWholeNumber(text) ?? NaN } })

interface FileFields<Name extends string> {
  names: Name[]
  /** Of all files together; `tooLarge` is then the error of the last field. */
  maxBytes: number
  tooLarge: string
}

/**
 * Runs `command` with the parsed form; validation errors and refusals show the form again with the user's input. The
 * form may have files: `schema` then says which fields it has with files and which without. `hidden`: fields that are not shown again.
 * A submission id that a user has sent with something else in it is refused (R65); `isOrder`: the command does that itself.
 */
export async function submit<Schema extends z.ZodType, Result = TypedResponse<never>, Name extends string = never>(
  {
    request,
    context,
    files: fields,
    hidden: hideFields = hiddenFields,
    isOrder = false,
  }: { request: Request; context: AppLoadContext; files?: FileFields<Name>; hidden?: string[]; isOrder?: boolean },
  schema: Schema | ((hasFiles: boolean) => Schema),
  command: (input: z.output<Schema>, files: Partial<Record<Name, File[]>>) => Promise<Result>,
) {
  await deleteDraft(request, context)
  const received = await readFormWithFiles(request, fields)
  if (!received) return formErrorResponse({ error: { [fields!.names.at(-1)!]: [fields!.tooLarge] } }, 413)
  const form = takeRestoredSubmissionId(received)
  // 'Show' and 'Add a row': the form as it was sent, and nothing runs. The response is not stored.
  if (form.has('passwordView') || form.has('addRow')) {
    const lastResult: SubmissionResult = { initialValue: textsOf(form) }
    return data({ lastResult })
  }
  const files = takeFiles(form, fields?.names ?? [])
  const hasFiles = Object.keys(files).length > 0
  const submission = parseWithZod(form, {
    schema: coerceFormValue(typeof schema === 'function' ? schema(hasFiles) : schema),
    disableAutoCoercion: true,
  })
  if (submission.status !== 'success') return formErrorResponse(submission.reply({ hideFields }), 422)
  try {
    const { submissionId, ...said } = submission.value as { submissionId?: string; intent?: string }
    // A preview stores nothing: what was looked at can be sent with the same number.
    const isStored = !isOrder && said.intent !== 'preview'
    const user = submissionId && isStored ? await context.user() : null
    if (!user) return await command(submission.value, files)
    const content = [new URL(request.url).pathname, said, await digestsOf(files)]
    return await withSubmission(context, { actor: user.id, key: submissionId!, content }, () =>
      command(submission.value, files),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    context.fault ??= error.cause
    logRefusal(context, error, (await context.user())?.id)
    const formErrors = error.message ? [error.message] : undefined
    const reply = submission.reply({ formErrors, fieldErrors: error.fields, hideFields })
    return formErrorResponse(reply, statusOf(error.code), error)
  }
}

async function digestsOf(files: Partial<Record<string, File[]>>): Promise<[string, string[]][]> {
  const hash = async (file: File) =>
    Buffer.from(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())).toString('hex')
  return Promise.all(
    Object.entries(files).map(async ([name, all = []]): Promise<[string, string[]]> => [
      name,
      await Promise.all(all.map(hash)),
    ]),
  )
}

/** What a GET form has sent; with what is wrong in it, as `submit` says it. `values` are the fields as they were typed. */
export function parseQuery<Schema extends z.ZodType>(query: URLSearchParams, schema: Schema) {
  const values = Object.fromEntries(query)
  const single = Object.entries(values).filter(([name]) => /^[a-z]\w*$/i.test(name))
  const submission = parseWithZod(new URLSearchParams(single), {
    schema: coerceFormValue(schema),
    disableAutoCoercion: true,
  })
  if (submission.status === 'success') return { value: submission.value, lastResult: { initialValue: values } }
  return { value: null, lastResult: { ...submission.reply(), initialValue: values } }
}

/** The rules and refusals of the store are in English. */
function inThisLanguage(errors: NonNullable<SubmissionResult['error']>): NonNullable<SubmissionResult['error']> {
  return Object.fromEntries(Object.entries(errors).map(([name, texts]) => [name, texts?.map(translate) ?? null]))
}

function textsOf(form: FormData): Record<string, string> {
  return Object.fromEntries([...form].filter((field): field is [string, string] => typeof field[1] === 'string'))
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
    // With a used or invalid id, the form would be refused each time.
    if (isUsed || error?.submissionId) initialValue.submissionId = newId()
  }
  return data({ lastResult: { ...lastResult, ...(error && { error: inThisLanguage(error) }) } }, { status, headers })
}

/** The files of the form, which has none then. A browser sends an empty one where nothing was chosen. */
function takeFiles<Name extends string>(form: FormData, names: Name[]): Partial<Record<Name, File[]>> {
  const files: Partial<Record<Name, File[]>> = {}
  for (const name of names) {
    const given = form.getAll(name).filter((file): file is File => file instanceof File && file.size > 0)
    if (given.length > 0) files[name] = given
    form.delete(name)
  }
  return files
}

/** Null if the files are too large to be read. */
function readFormWithFiles(request: Request, files: { maxBytes: number } | undefined): Promise<FormData | null> {
  return readForm(request, maxBytes + (files?.maxBytes ?? 0)).catch((refusal: unknown) => {
    if (files && refusal instanceof Response && refusal.status === 413) return null
    throw refusal
  })
}

export async function readForm(request: Request, limit = maxBytes): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) {
    throw new Response('This page only accepts forms.', { status: 415 })
  }
  const body = await readAtMost(request, limit, limit > maxBytes ? maxDiscarded : 0).catch(() => {
    throw new Response('This form arrived incomplete.', { status: 400 })
  })
  if (!body) throw new Response('This form is too large.', { status: 413 })
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
  const rows = form && numberRows(form)
  if (!rows || !isPlain(rows)) throw new Response('This form could not be read.', { status: 400 })
  const clean = new FormData()
  for (const [name, value] of rows)
    clean.append(name, typeof value === 'string' && !keptAsTyped.includes(name) ? cleanText(value) : value)
  return clean
}

/** `checked` is a file, whose cells are cleaned when they are read. */
const keptAsTyped = ['password', 'checked']

/** The checkboxes of a list, and several files; any other name twice would be a form that nobody can fill in. */
const repeatedNames = ['order', 'product', 'messageId', 'pictures', 'families']

/**
 * conform parses nested names in quadratic time, and reads commands from names with underscores: refuse both. A page of
 * orders has 50 checkboxes, and 25 products that are changed at once have 76 fields.
 */
function isPlain(form: FormData): boolean {
  const names = [...form.keys()]
  const single = names.filter((name) => !/^(attribute|picture)\w+\d$/.test(name))
  const named = names.filter((name) => !repeatedNames.includes(name))
  return (
    single.length <= 80 &&
    names.length - single.length <= 2 * maxRows &&
    new Set(named).size === named.length &&
    names.every((name) => /^[a-z]\w*$/i.test(name))
  )
}
