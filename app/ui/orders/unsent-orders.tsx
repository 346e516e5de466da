import { useActionData, useNavigation, useSubmit } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../button'
import { Notice } from '../notice'
import { sendOrder } from '../../browser/send-order'
import { forgetOrder, unsentOrders, type UnsentOrder } from '../../browser/unsent-order'
import { t } from '../../i18n/language'
import { localPath } from '../../i18n/paths'

/** In milliseconds: the first wait, which doubles, and the longest. */
const [firstWait, longestWait] = [5000, 60_000]

/** In the order form, beside its button: sends the order again as soon as the shop can be reached. */
function UnsentOrderHere({ email, path }: { email: string; path: string }) {
  const [order, setOrder] = useState<UnsentOrder>()
  const place = useRef<HTMLDivElement>(null)
  const submit = useSubmit()
  const isIdle = useNavigation().state === 'idle'
  // After a login the shop shows the form as it arrived: the customer sends it.
  const reply = useActionData<{ lastResult?: { error?: object } }>()?.lastResult
  const isDraft = reply !== undefined && !reply.error

  useEffect(() => {
    const find = () => {
      const form = place.current?.closest('form')
      if (!form) return
      const orders = unsentOrders(email).filter((each) => each.path === path)
      const own = orders.find(({ fields }) => fields.submissionId === idOf(form))
      if (isDraft && own) forgetOrder(own)
      // Nothing that was typed meanwhile is overwritten.
      if (!isDraft) setOrder(own ?? (isUntouched(form) ? orders[0] : undefined))
    }
    const timer = isIdle ? setTimeout(find) : undefined
    return () => clearTimeout(timer)
  }, [email, path, isIdle, isDraft])

  useEffect(() => {
    const form = place.current?.closest('form')
    if (!order || !isIdle || !form) return
    fillIn(form, order.fields)
    const stop = new AbortController()
    const { signal } = stop
    let wait = firstWait
    let timer = setTimeout(send, wait)
    function send() {
      clearTimeout(timer)
      timer = setTimeout(send, (wait = Math.min(2 * wait, longestWait)))
      fetch('/sw.js', { method: 'HEAD', cache: 'no-store', signal })
        .then(({ ok }) => {
          if (ok) submit(order!.fields, { method: 'post', preventScrollReset: true })
        })
        .catch(() => undefined) // no connection yet
    }
    function discard() {
      forgetOrder(order!)
      setOrder(undefined)
    }
    addEventListener('online', send, { signal })
    // Whoever edits the form wants another order.
    form.addEventListener('input', discard, { signal })
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [order, isIdle, submit])

  return (
    <div ref={place} role="status" hidden={!order}>
      {order && (
        <Notice>
          <p>
            {t(
              'Your order is not sent yet, or its answer was lost. This page sends it when the shop can be reached; it is placed once.',
            )}
          </p>
          <p>
            <Discard
              onClick={() => {
                forgetOrder(order)
                setOrder(undefined)
              }}
            />
          </p>
        </Notice>
      )}
    </div>
  )
}

/** On the other pages with scripts. */
function UnsentOrders({ email, path }: { email: string; path: string }) {
  const [, setDiscarded] = useState<UnsentOrder>()
  return unsentOrders(email)
    .filter((order) => order.path !== path)
    .map((order) => (
      <Notice key={order.fields.submissionId}>
        {t('One order is not sent yet.')} <a href={localPath(order.path)}>{t('Send now')}</a>{' '}
        <Discard
          onClick={() => {
            forgetOrder(order)
            setDiscarded(order)
          }}
        />
      </Notice>
    ))
}

function Discard({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="quiet" type="button" onClick={onClick}>
      {t('Discard')}
    </Button>
  )
}

function restoredId(form: HTMLFormElement): HTMLSelectElement {
  return form.elements.namedItem('restoredSubmissionId') as unknown as HTMLSelectElement
}

function idOf(form: HTMLFormElement): string {
  return restoredId(form).value
}

function isUntouched(form: HTMLFormElement): boolean {
  return Array.from(form.elements).every(
    (field) =>
      !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) ||
      field.value === field.defaultValue,
  )
}

/** After a reload: also with the submission id, so that to press the button again is the same order too. */
function fillIn(form: HTMLFormElement, fields: Record<string, string>): void {
  const id = fields.submissionId!
  if (idOf(form) !== id) restoredId(form).add(new Option(id, id, true, true))
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === 'on'
    else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = value
  }
  form.dispatchEvent(new Event('input', { bubbles: true }))
}

/** One object: the page imports them together, later. */
export default { sendOrder, UnsentOrderHere, UnsentOrders }
