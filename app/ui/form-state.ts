import type { SubmissionResult } from '@conform-to/react'

/**
 * What conform replied to the last submission, for the fields of a form. conform's helpers turn it into attributes;
 * its `useForm`, which validates in the browser, would add 8 KB of script (decision 7).
 */
export function formState(actionData: { lastResult: Reply } | undefined, defaults: Record<string, string> = {}) {
  const reply = actionData?.lastResult
  const valueOf = (name: string): string | undefined => {
    if (!reply) return defaults[name]
    const value = reply.initialValue?.[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    errors: reply?.error?.[''] ?? reply?.error?.submissionId,
    submissionId: reply && valueOf('submissionId'),
    field: (name: string) => ({ name, initialValue: valueOf(name), errors: reply?.error?.[name] }),
    /** Browsers do not send an unchecked box. */
    box: (name: string, checked: boolean) => ({ name, initialValue: reply ? valueOf(name) : checked ? 'on' : '' }),
  }
}

type Reply = Pick<SubmissionResult, 'initialValue' | 'error'>

export type FormState = ReturnType<typeof formState>
