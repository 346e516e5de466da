import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { statusOf } from '../http/response/errors'
import { logRefusal } from '../http/log.server'
import { parseCode, verifyPath } from '../store/chain/codes'
import { verifyReceipt, type VerifiedReceipt } from '../store/chain/verify-receipt.server'
import { verifiedLines } from '../store/orders/receipts/proof.server'
import type { Lines } from '../store/orders/receipts/receipts'
import { Refusal } from '../store/shared/refusal'
import { Button } from '../ui/button'
import { Field } from '../ui/field'
import { FormError } from '../ui/form-error'
import { PageHeader } from '../ui/layout/page-header'
import { Sheet } from '../ui/orders/sheet'
import { shopName } from '../shop-name'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.number ? `Receipt C-${data.number}` : 'Check a receipt'} · ${shopName}` },
  { name: 'robots', content: 'noindex' },
]

/** The styles of a receipt. */
export const handle = { account: true }

interface Check {
  typed: string
  /** Beside the field. */
  error: string | null
  /** Of the form as a whole: no receipt has this code, or there were too many questions. */
  refusal: string | null
  isFound: boolean
  /** Null: the order is gone. */
  number: number | null
  /** Null: the receipt does not match. */
  lines: Lines | null
  isWaiting: boolean
}

const nothing: Check = {
  typed: '',
  error: null,
  refusal: null,
  isFound: false,
  number: null,
  lines: null,
  isWaiting: false,
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const from = { origin: context.origin, mail: context.shopEmail }
  const answer = (check: Partial<Check>, init?: ResponseInit) => data({ ...nothing, ...check, from }, init)
  const typed = (params.code ?? new URL(request.url).searchParams.get('code'))?.slice(0, 200)
  if (typed === undefined) return answer({})
  const code = parseCode(typed)
  if (params.code === undefined) {
    if (code !== null) throw redirect(verifyPath(code), 303)
    const error = typed.trim() === '' ? 'Type the code of the receipt.' : 'A code has 25 letters and digits.'
    return answer({ typed, error }, { status: 422 })
  }
  try {
    const receipt = code === null ? null : await verifyReceipt(context, code)
    if (!receipt) return answer({ typed, refusal: unknown }, { status: 404 })
    return answer(checkOf(receipt), { status: receipt.order ? 200 : 409 })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    logRefusal(context, error)
    const headers = { 'retry-after': String(error.retryAfter) }
    return answer({ typed, refusal: error.message }, { status: statusOf(error.code), headers })
  }
}

function checkOf(receipt: VerifiedReceipt): Partial<Check> {
  const { number, order, isWaiting } = receipt
  return { isFound: true, number, lines: order && verifiedLines(receipt), isWaiting }
}

const unknown = 'We have no receipt with this code.'

/** Public, for whoever holds a receipt. */
export default function Verify() {
  const { isFound } = useLoaderData<typeof loader>()
  return isFound ? <Answer /> : <Question />
}

function Answer() {
  const { lines, number, isWaiting, from } = useLoaderData<typeof loader>()
  if (!lines) {
    return (
      <PageHeader
        title={number === null ? 'This receipt does not match' : `Receipt C-${number} does not match`}
        lead="There is a receipt with this code, but our records of its order are not what they were when it was sealed."
      >
        <p role="alert" tabIndex={-1} className="error">
          Do not rely on it. Keep your receipt, and write to <a href={`mailto:${from.mail}`}>{from.mail}</a>.
        </p>
      </PageHeader>
    )
  }
  return (
    <Sheet
      title={`Receipt C-${number} is genuine`}
      lead="Order, price and payment are sealed in our records, unchanged. Compare them with your receipt."
      lines={lines}
      from={from}
    >
      {isWaiting && (
        <p className="hint">The newest change of this order is not sealed yet. It will be in some minutes.</p>
      )}
      <p className="actions no-print">
        <a href="/verify">Check another receipt</a>
      </p>
    </Sheet>
  )
}

function Question() {
  const { typed, error, refusal, from } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Check a receipt" lead="Is a receipt of this shop genuine, and has it been changed?" />
      {refusal === unknown && (
        <p>
          Compare the code with your receipt, letter by letter. If it is the same, write to{' '}
          <a href={`mailto:${from.mail}`}>{from.mail}</a>: when our records were restored from a backup, the newest
          receipts may be missing.
        </p>
      )}
      <form className="form" action="/verify" noValidate>
        <Field
          label="Receipt code"
          name="code"
          initialValue={typed}
          errors={error === null ? null : [error]}
          hint="At the end of the receipt: five groups of five letters and digits. Spaces, hyphens and case do not matter."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
        <FormError errors={refusal} />
        <Button>Check</Button>
      </form>
    </>
  )
}
