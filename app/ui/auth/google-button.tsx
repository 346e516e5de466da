import { Button } from '../button'
import { FormError } from '../form-error'
import { t } from '../../i18n/language'

export type GooglePage = 'login' | 'register'

const problems = {
  failed: 'Logging in with Google did not work. Please try again.',
  outage: 'Google is not responding. Nothing has changed. Try again in a minute, or use your password.',
  cancelled: 'You cancelled at Google.',
  unverified: 'Google has not verified this email, so you cannot log in with it here.',
  join: 'This email already has an account. Log in with its password once, and Google works from then on.',
  address: 'We cannot send email to the address of this Google account.',
} as const

export type GoogleProblem = keyof typeof problems

export function googleProblemIn(url: string): GoogleProblem | null {
  const problem = new URL(url).searchParams.get('google')
  return problem !== null && Object.hasOwn(problems, problem) ? (problem as GoogleProblem) : null
}

export function statusOfGoogle(problem: GoogleProblem | null): number {
  if (problem === null) return 200
  return problem === 'outage' ? 503 : 401
}

interface GoogleButtonProps {
  page: GooglePage
  redirectTo: string | null
  problem: GoogleProblem | null
}

export function GoogleButton({ page, redirectTo, problem }: GoogleButtonProps) {
  return (
    <form className="form" method="post" action="/auth/google">
      <input type="hidden" name="page" value={page} />
      {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
      <p className="or">{t('or')}</p>
      <Button variant="quiet">{t('Continue with Google')}</Button>
      <FormError errors={problem && t(problems[problem])} />
    </form>
  )
}
