import { t } from '../../i18n/language'
interface WaysProps {
  current: 'login' | 'register'
  redirectTo: string | null
}

/** Above the form, so that customer and newcomer see both ways at once. */
export function Ways({ current, redirectTo }: WaysProps) {
  const query = redirectTo ? `?${new URLSearchParams({ redirectTo })}` : ''
  return (
    <nav className="ways" aria-label={t('Login or register')}>
      {ways.map(({ page, text, hint }) => (
        <a key={page} href={`/${page}${query}`} aria-current={page === current ? 'page' : undefined}>
          {t(text)} <span className="hint">{t(hint)}</span>{' '}
        </a>
      ))}
    </nav>
  )
}

const ways = [
  { page: 'login', text: 'I have an account', hint: 'Log in' },
  { page: 'register', text: 'I am new', hint: 'Create an account' },
] as const
