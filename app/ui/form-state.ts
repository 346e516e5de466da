import type { SubmissionResult } from '@conform-to/react'

/** Nobody can mend these, so their errors are those of the form. */
const hiddenFields = ['credential', 'submissionId', 'token', 'unitPrice', 'priceBreaks', 'version']

/**
 * What conform replied to the last submission, for the fields of a form. conform's helpers turn it into attributes;
 * its `useForm`, which validates in the browser, would add 8 KB of script (decision 7).
 */
export function formState(actionData: { lastResult: Reply } | undefined, defaults: Record<string, string> = {}) {
  const reply = actionData?.lastResult
  const valueOf = (name: string): string | undefined => {
    // A form that was too large to be read has no values.
    if (!reply?.initialValue) return defaults[name]
    const value = reply.initialValue[name]
    return typeof value === 'string' ? value : undefined
  }
  const errorsOf = (name: string) => reply?.error?.[name] ?? undefined
  return {
    errors: ['', ...hiddenFields].map(errorsOf).find(Boolean),
    /** In the order of the schema, which is that of the fields on the page. */
    fieldErrors: Object.entries(reply?.error ?? {}).flatMap(([name, errors]) =>
      name && errors?.length && !hiddenFields.includes(name) ? [{ name, errors }] : [],
    ),
    submissionId: reply && valueOf('submissionId'),
    /** 'visible' or 'hidden' after 'Show' or 'Hide'. */
    passwordView: reply && valueOf('passwordView'),
    field: (name: string) => ({ name, initialValue: valueOf(name), errors: errorsOf(name) }),
    /** Browsers do not send an unchecked box. */
    box: (name: string, checked: boolean) => ({ name, initialValue: reply ? valueOf(name) : checked ? 'on' : '' }),
  }
}

type Reply = Pick<SubmissionResult, 'initialValue' | 'error'>

export type FormState = ReturnType<typeof formState>
