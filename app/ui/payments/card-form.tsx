import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Appearance, Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useMemo, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../button'
import { FormError } from '../form-error'
import { language, t } from '../../i18n/language'

interface CardFormProps {
  publishableKey: string
  scriptUrl: string
  requestSecret: (signal: AbortSignal) => Promise<string>
  returnUrl: string
  onPaid: (transactionId: string) => void
  /** True if the order is cancelled; the page then shows that in place of this form. */
  showIfCancelled: () => Promise<boolean>
  /** The fallback, if the card form fails or is slow. */
  children: ReactNode
}

/** Stripe's Payment Element, in Stripe's frame: the card number never reaches this page. */
export function CardForm(props: CardFormProps) {
  const { publishableKey, scriptUrl, requestSecret, returnUrl, onPaid, showIfCancelled, children } = props
  const [clientSecret, setClientSecret] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [ready, setReady] = useState(false)
  const [slow, setSlow] = useState(false)
  const stripe = useMemo(() => openStripe(scriptUrl, publishableKey), [scriptUrl, publishableKey])
  const appearance = useAppearance()

  useEffect(() => {
    const stop = new AbortController()
    requestSecret(stop.signal)
      .then(setClientSecret)
      .catch(async (error: unknown) => {
        if (stop.signal.aborted || (await showIfCancelled())) return
        setProblem(messageOf(error))
      })
    stripe.catch((error: unknown) => !stop.signal.aborted && setProblem(messageOf(error)))
    return () => stop.abort()
  }, [requestSecret, showIfCancelled, stripe])

  useEffect(() => {
    if (ready) return
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [ready])

  if (problem !== undefined) {
    return (
      <>
        <FormError errors={problem} />
        {children}
      </>
    )
  }
  return (
    <>
      {clientSecret === undefined ? (
        <CardFormPlaceholder />
      ) : (
        <Elements
          stripe={stripe}
          options={{ clientSecret, appearance, ...(language() === 'de' && { locale: 'de' as const }) }}
        >
          <PayByCard
            ready={ready}
            onReady={() => setReady(true)}
            returnUrl={returnUrl}
            onPaid={onPaid}
            showIfCancelled={showIfCancelled}
            onFatalError={setProblem}
          />
        </Elements>
      )}
      {slow && !ready && children}
    </>
  )
}

const slowAfterMs = 10_000

function CardFormPlaceholder() {
  return (
    <div className="form card-form">
      <div className="card-fields">
        <Loading />
      </div>
      <Button disabled>{t('Pay')}</Button>
    </div>
  )
}

/** No `status`: the one of the page is the toast about the new order. */
function Loading() {
  return <p aria-live="polite">{t('Loading the card form…')}</p>
}

interface PayByCardProps {
  ready: boolean
  onReady: () => void
  returnUrl: string
  onPaid: CardFormProps['onPaid']
  showIfCancelled: CardFormProps['showIfCancelled']
  /** The fields did not load, or the payment intent is cancelled. */
  onFatalError: (message: string) => void
}

function PayByCard({ ready, onReady, returnUrl, onPaid, showIfCancelled, onFatalError }: PayByCardProps) {
  const stripe = useStripe()
  const elements = useElements()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function pay(event: FormEvent) {
    event.preventDefault()
    if (!stripe || !elements || busy) return
    setBusy(true)
    setError(undefined)
    const result = await stripe.confirmPayment({
      elements,
      confirmParams: { return_url: returnUrl },
      redirect: 'if_required',
    })
    // If it was paid or cancelled elsewhere (another tab, a lost response), Stripe returns an error with the intent.
    const intent = result.paymentIntent ?? result.error.payment_intent
    if (intent?.status === 'succeeded') {
      onPaid(intent.id)
      return
    }
    if (intent?.status === 'canceled') {
      if (await showIfCancelled()) return
      onFatalError(t('This payment was cancelled, and nothing was charged. Reload this page to try again.'))
      return
    }
    setBusy(false)
    setError(result.error?.message ?? t('Your bank has not answered yet. Check My Orders in a few minutes.'))
  }

  return (
    <form className="form card-form" onSubmit={(event) => void pay(event)}>
      <div className="card-fields">
        {!ready && <Loading />}
        <PaymentElement
          options={{ layout: 'tabs', wallets: noWallets }}
          onReady={onReady}
          onLoadError={({ error: { message } }) => onFatalError(message ?? unreachable())}
        />
      </div>
      <FormError errors={error} />
      <Button busy={busy} busyText={t('Paying…')} disabled={!ready}>
        {t('Pay')}
      </Button>
    </form>
  )
}

/** Cards only: see decision 12. */
const noWallets = { applePay: 'never', googlePay: 'never', link: 'never' } as const

const unreachable = () => t('The card form did not load.')

const stripeByUrl = new Map<string, Promise<Stripe>>()

function openStripe(scriptUrl: string, publishableKey: string): Promise<Stripe> {
  const existing = stripeByUrl.get(scriptUrl)
  if (existing) return existing
  const stripe = loadScript(scriptUrl)
    .then(() => loadStripe(publishableKey))
    .then((loaded) => loaded ?? Promise.reject(new Error(unreachable())))
  stripeByUrl.set(scriptUrl, stripe)
  stripe.catch(() => stripeByUrl.delete(scriptUrl))
  return stripe
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(unreachable()))
    document.head.appendChild(script)
  })
}

function useAppearance(): Appearance {
  const [appearance, setAppearance] = useState(readAppearance)
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const read = () => setAppearance(readAppearance())
    dark.addEventListener('change', read)
    return () => dark.removeEventListener('change', read)
  }, [])
  return appearance
}

function readAppearance(): Appearance {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(`--color-${name}`).trim()
  return {
    theme: 'stripe',
    variables: {
      colorPrimary: colour('varnish'),
      colorText: colour('ink'),
      colorTextSecondary: colour('faded'),
      colorTextPlaceholder: colour('faded'),
      colorBackground: colour('paper'),
      colorDanger: colour('error'),
      fontFamily: 'system-ui, sans-serif',
      borderRadius: '2px',
    },
    // Stripe's own edge has less contrast than 3:1.
    rules: { '.Input': { borderColor: colour('edge'), boxShadow: 'none' } },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : unreachable()
}
