/** What conform's `reply` tells of a form that was not accepted, as far as views show it. */
interface Reply {
  initialValue?: Record<string, unknown> | null
  error?: Record<string, string[] | null> | null
}

/**
 * A form as it is shown: empty, or again with what was typed and what is wrong. conform's own hook does this too, for
 * 8 KB of script that these forms do not need (decision 7).
 */
export function formState(answer: { lastResult: Reply } | undefined, defaults: Record<string, string> = {}) {
  const reply = answer?.lastResult
  const typed = (name: string): string | undefined => {
    if (!reply) return defaults[name]
    const value = reply.initialValue?.[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    /** What is wrong with the form as a whole. */
    errors: reply?.error?.[''] ?? reply?.error?.submissionId,
    /** The number to send it with, when it is shown again. */
    submissionId: reply && typed('submissionId'),
    /** The props of a field: its name, what was typed into it, what is wrong with it. */
    field: (name: string) => ({ name, defaultValue: typed(name), errors: reply?.error?.[name] }),
    /** The props of a checkbox: a box that was not ticked is not sent at all. */
    box: (name: string, ticked: boolean) => ({ name, defaultChecked: reply ? typed(name) === 'on' : ticked }),
  }
}

export type FormState = ReturnType<typeof formState>
