interface Reply {
  initialValue?: Record<string, unknown> | null
  error?: Record<string, string[] | null> | null
}

/** Instead of conform's hook, which would add 8 KB of script (decision 7). */
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
    field: (name: string) => ({ name, defaultValue: valueOf(name), errors: reply?.error?.[name] }),
    /** Browsers do not send an unchecked box. */
    box: (name: string, checked: boolean) => ({ name, defaultChecked: reply ? valueOf(name) === 'on' : checked }),
  }
}

export type FormState = ReturnType<typeof formState>
