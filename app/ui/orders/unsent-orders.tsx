import { useNavigation, useSubmit } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../button'
import { Notice } from '../notice'
import { forgetOrder, unsentOrders, type UnsentOrder } from './unsent-order'

export { sendOrder } from './send-order'

/** In milliseconds: the first wait, which doubles, and the longest. */
const [firstWait, longestWait] = [5000, 60_000]

/** In the order form, beside its button: sends the order again as soon as the shop can be reached. */
export function UnsentOrderHere({ email, path }: { email: string; path: string }) {
  const [order, setOrder] = useState<UnsentOrder>()
  const notice = useRef<HTMLDivElement>(null)
  const submit = useSubmit()
  const isIdle = useNavigation().state === 'idle'

  useEffect(() => {
    if (isIdle) setOrder(unsentOrders(email).find((each) => each.path === path))
  }, [email, path, isIdle])

  useEffect(() => {
    const form = notice.current?.closest('form')
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
        .catch(() => undefined) // no line yet
    }
    addEventListener('online', send, { signal })
    // Whoever edits the form wants another order.
    form.addEventListener('input', () => setOrder(forgetOrder(order)), { signal })
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [order, isIdle, submit])

  if (!order) return null
  return (
    <div ref={notice} role="status">
      <Notice>
        <p>
          Your order is not sent yet, or its answer was lost. This page sends it when the shop can be reached; it is
          placed once.
        </p>
        <p>
          <Discard onClick={() => setOrder(forgetOrder(order))} />
        </p>
      </Notice>
    </div>
  )
}

/** On the other pages with scripts. */
export function UnsentOrders({ email, path }: { email: string; path: string }) {
  const [orders, setOrders] = useState<UnsentOrder[]>([])
  useEffect(() => setOrders(unsentOrders(email)), [email, path])
  return orders
    .filter((order) => order.path !== path)
    .map((order) => (
      <Notice key={order.fields.submissionId}>
        One order is not sent yet. <a href={order.path}>Send now</a>{' '}
        <Discard
          onClick={() => {
            forgetOrder(order)
            setOrders(orders.filter((other) => other !== order))
          }}
        />
      </Notice>
    ))
}

function Discard({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="quiet" type="button" onClick={onClick}>
      Discard
    </Button>
  )
}

/** After a reload: also with the submission id, so that to press the button again is the same order too. */
function fillIn(form: HTMLFormElement, fields: Record<string, string>): void {
  const id = fields.submissionId!
  const ids = form.querySelector<HTMLSelectElement>('[name=restoredSubmissionId]')!
  if (ids.value !== id) ids.add(new Option(id, id, true, true))
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === 'on'
    else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = value
  }
  form.dispatchEvent(new Event('input', { bubbles: true }))
}
