import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Appearance, Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useMemo, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../button'
import { FormError } from '../form-error'

interface CardFormProps {
  /** Stripe's publishable key, and where its browser script is. */
  publishableKey: string
  scriptUrl: string
  /** Asks the shop for what makes the order payable; throws with the shop's words. */
  requestSecret: (signal: AbortSignal) => Promise<string>
  /** Where a bank that asks its customer something leads back to. */
  returnUrl: string
  onPaid: (transactionId: string) => void
  /** Shown instead when the card form cannot be. */
  children: ReactNode
}

/**
 * Stripe's Payment Element: the card number is typed into a frame of Stripe's and never reaches this page. Whatever comes
 * between, a script that does not load, a frame that a blocker swallows, a shop that does not answer, leaves the way to pay on
 * the secure page.
 */
export function CardForm({ publishableKey, scriptUrl, requestSecret, returnUrl, onPaid, children }: CardFormProps) {
  const [clientSecret, setClientSecret] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [ready, setReady] = useState(false)
  const [slow, setSlow] = useState(false)
  const stripe = useMemo(() => openStripe(scriptUrl, publishableKey), [scriptUrl, publishableKey])
  const appearance = useMemo(() => readAppearance(), [])

  useEffect(() => {
    const stop = new AbortController()
    requestSecret(stop.signal)
      .then(setClientSecret)
      .catch((error: unknown) => !stop.signal.aborted && setProblem(wordsOf(error)))
    stripe.catch((error: unknown) => !stop.signal.aborted && setProblem(wordsOf(error)))
    return () => stop.abort()
  }, [requestSecret, stripe])

  useEffect(() => {
    if (ready) return
    const patience = setTimeout(() => setSlow(true), mostLoading)
    return () => clearTimeout(patience)
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
        <Waiting />
      ) : (
        <Elements stripe={stripe} options={{ clientSecret, appearance }}>
          <PayByCard
            ready={ready}
            onReady={() => setReady(true)}
            returnUrl={returnUrl}
            onPaid={onPaid}
            onLost={setProblem}
          />
        </Elements>
      )}
      {slow && !ready && children}
    </>
  )
}

/** After so many milliseconds without the card form, the secure page is offered beside it. */
const mostLoading = 10_000

/** The form before it can be used: its place is kept, and the button says that it waits. */
function Waiting() {
  return (
    <div className="form card-form">
      <div className="card-fields">
        <Loading />
      </div>
      <Button disabled>Pay</Button>
    </div>
  )
}

function Loading() {
  return <p role="status">Loading the card form…</p>
}

interface PayByCardProps {
  /** The fields can be filled in. */
  ready: boolean
  onReady: () => void
  returnUrl: string
  onPaid: (transactionId: string) => void
  /** The fields could not be shown, or what they pay can be paid no more. */
  onLost: (message: string) => void
}

function PayByCard({ ready, onReady, returnUrl, onPaid, onLost }: PayByCardProps) {
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
    // What was paid or ended in another tab, or by a try whose answer got lost, Stripe calls an error, with the intent in it.
    const intent = result.paymentIntent ?? result.error.payment_intent
    if (intent?.status === 'succeeded') {
      onPaid(intent.id)
      return
    }
    if (intent?.status === 'canceled') {
      onLost('This payment was ended, here or in another window, and nothing was charged. Load this page again.')
      return
    }
    setBusy(false)
    setError(result.error?.message ?? 'Your bank has not answered yet. Look at My Orders in a few minutes.')
  }

  return (
    <form className="form card-form" onSubmit={(event) => void pay(event)}>
      <div className="card-fields">
        {!ready && <Loading />}
        <PaymentElement
          options={{ layout: 'tabs', wallets: noWallets }}
          onReady={onReady}
          onLoadError={({ error: { message } }) => onLost(message ?? unreachable)}
        />
      </div>
      <p className="hint">Your card number is typed into a field of our payment service and never reaches us.</p>
      <FormError errors={error} />
      <Button busy={busy} busyText="Paying…" disabled={!ready}>
        Pay
      </Button>
    </form>
  )
}

/** Cards alone, as specified: why no wallets, decision 12 says. */
const noWallets = { applePay: 'never', googlePay: 'never', link: 'never' } as const

const unreachable = 'The card form could not be loaded.'

const opened = new Map<string, Promise<Stripe>>()

/** Stripe's script is loaded once a page, from the address that the shop names: the sandbox has one of its own. */
function openStripe(scriptUrl: string, publishableKey: string): Promise<Stripe> {
  const known = opened.get(scriptUrl)
  if (known) return known
  const stripe = loadScript(scriptUrl)
    .then(() => loadStripe(publishableKey))
    .then((loaded) => loaded ?? Promise.reject(new Error(unreachable)))
  opened.set(scriptUrl, stripe)
  stripe.catch(() => opened.delete(scriptUrl))
  return stripe
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(unreachable))
    document.head.appendChild(script)
  })
}

/** The fields in the frame look like ours: the page's own colours, as they are at this moment. */
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
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : unreachable
}
