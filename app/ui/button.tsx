import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { t } from '../i18n/language'

type Variant = 'main' | 'quiet' | 'danger'

const classes: Record<Variant, string> = {
  main: 'button',
  quiet: 'button button-quiet',
  danger: 'button button-danger',
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant
  /** Ignores clicks without `disabled`, which would lose the focus. */
  busy?: boolean
  busyText?: string
  children: ReactNode
}

export function Button(props: ButtonProps) {
  const {
    variant = 'main',
    busy = false,
    busyText = t('Working…'),
    type = 'submit',
    className,
    children,
    ...rest
  } = props
  const working = busy && { 'aria-busy': true, 'aria-disabled': true, onClick: ignore }
  return (
    <button type={type} className={join(classes[variant], className)} {...rest} {...working}>
      {busy ? busyText : children}
    </button>
  )
}

/** `print.ts`, inline in the page, shows it: without scripts, the browser's menu prints. */
export function PrintButton() {
  return (
    <Button type="button" data-print="" hidden>
      Print
    </Button>
  )
}

interface ButtonLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string
  variant?: Variant
  children: ReactNode
}

export function ButtonLink({ variant = 'main', className, children, ...rest }: ButtonLinkProps) {
  return (
    <a className={join(classes[variant], className)} {...rest}>
      {children}
    </a>
  )
}

function ignore(event: MouseEvent) {
  event.preventDefault()
}

function join(base: string, more: string | undefined) {
  return more ? `${base} ${more}` : base
}
