import { useActionData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Button } from './button'
import { ErrorSummary, FormError } from './form-error'
import { formState, type FormState } from './form-state'
import { useSendTo } from './submission-id'

interface CommandFormProps {
  command: string
  title: string
  button: string
  variant?: 'main' | 'quiet' | 'danger'
  defaults?: Record<string, string>
  children?: (form: FormState) => ReactNode
  secondButton?: ReactNode
}

/** A section with one form, on a page with several: an answer to another form is not for it. */
export function CommandForm(props: CommandFormProps) {
  const { command, title, button, variant = 'quiet', defaults, children, secondButton } = props
  const actionData: Parameters<typeof formState>[0] = useActionData()
  const own = actionData?.lastResult.initialValue?.command === command ? actionData : undefined
  const form = formState(own, defaults)
  return (
    <>
      <h2 id={`${command}-form`}>{title}</h2>
      <form className="form" method="post" action={`${useSendTo()}#${command}-form`} noValidate>
        <ErrorSummary form={form} />
        <input type="hidden" name="command" value={command} />
        {children?.(form)}
        <FormError errors={form.errors} />
        <Button variant={variant}>{button}</Button>
        {secondButton}
      </form>
    </>
  )
}
