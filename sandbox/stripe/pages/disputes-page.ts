import type Stripe from 'stripe'
import { html, page } from '../../page'
import { decideDispute, openDispute } from '../api/disputes'
import { ApiError } from '../core/refusal'
import type { RequestContext } from '../core/types'
import { redirect, styles } from './hosted-page'

const shown = 50

/** Where whoever tries the shop plays the customer's bank. */
export async function disputesPage(context: RequestContext, request: Request): Promise<Response> {
  if (request.method === 'GET' || request.method === 'HEAD') return view(context)
  if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } })
  const body = new URLSearchParams(await request.text())
  try {
    act(context, body.get('payment') ?? '', body.get('do') ?? '')
    return redirect('/disputes')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return view(context, error.body.message, 409)
  }
}

function act(context: RequestContext, payment: string, what: string): void {
  const { charges, disputes } = context.account
  const charge = [...charges.values()].find((one) => one.payment_intent === payment && one.status === 'succeeded')
  const dispute = [...disputes.values()].findLast((one) => one.payment_intent === payment)
  if (charge && (what === 'dispute' || what === 'inquiry'))
    openDispute(context, charge, { isInquiry: what === 'inquiry' })
  else if (dispute && (what === 'won' || what === 'lost')) decideDispute(context, dispute.id, what)
}

function view({ account }: RequestContext, problem = '', status = 200): Response {
  const paid = [...account.charges.values()]
    .filter((charge) => charge.status === 'succeeded')
    .slice(-shown)
    .reverse()
  const disputes = [...account.disputes.values()]
  return page({
    title: 'Disputes (sandbox)',
    status,
    styles,
    body: html`
      <div class="notice"><p>This is the sandbox: it plays the bank, and no money moves.</p></div>
      <main>
        <h1>Disputes</h1>
        ${problem !== '' && html`<p role="alert">${problem}</p>`}
        <p>The last ${shown} payments. Paying with the card 4000 0000 0000 0259 opens a dispute, too.</p>
        ${paid.map((charge) =>
          paymentView(
            charge,
            disputes.findLast((one) => one.charge === charge.id),
          ),
        )}
      </main>
    `,
  })
}

function paymentView(charge: Stripe.Charge, dispute: Stripe.Dispute | undefined) {
  const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: charge.currency })
  const choices = dispute
    ? [
        ['won', 'The shop wins'],
        ['lost', dispute.status.startsWith('warning_') ? 'The inquiry becomes a dispute' : 'The shop loses'],
      ]
    : [
        ['dispute', 'Dispute it'],
        ['inquiry', 'Ask about it'],
      ]
  const isDecided = dispute && ['won', 'lost', 'warning_closed'].includes(dispute.status)
  return html`
    <form method="post">
      <h2>${amount.format(charge.amount / 100)} ${dispute?.status.replaceAll('_', ' ')}</h2>
      <p>${charge.payment_intent as string} ${charge.description}</p>
      <input type="hidden" name="payment" value="${charge.payment_intent as string}" />
      ${!isDecided && html`<p>${choices.map(([what, text]) => html`<button name="do" value="${what}">${text}</button> `)}</p>`}
    </form>
  `
}
