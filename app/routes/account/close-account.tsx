import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { requireRecentSignIn, requireUser } from '../../http/auth/require-user.server'
import { signedOutHeaders } from '../../http/auth/session.server'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { toastTo } from '../../http/response/toast.server'
import { closeAccount, readClosing } from '../../store/privacy/close-account.server'
import { Button, ButtonLink } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Notice } from '../../ui/notice'
import { shopName } from '../../shop-name'

const path = '/dashboard/myProfile/data/close'

export const meta: MetaFunction = () => [{ title: `Close my account · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  requireRecentSignIn(context, user, path)
  return { ...(await readClosing(context, user)), email: user.email, years: context.keepOrdersYears }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, context)
  requireRecentSignIn(context, user, path)
  return submit({ request, context }, z.object({ deleteReviews: z.boolean().optional() }), async (input) => {
    await closeAccount(context, user, input)
    logSecurityEvent(context, 'account closed', { user: user.id })
    return toastTo(context, '/', 'Your account is closed. We have sent you an email about it.', {
      headers: await signedOutHeaders(context),
    })
  })
}

export default function CloseAccount() {
  const { isLastAdmin, reviews } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  return (
    <>
      <PageHeader title="Close my account?" lead="Nobody can undo this, not even the shop." />
      {isLastAdmin ? (
        <Notice tone="error">You are the only admin of the shop. Make somebody else an admin first.</Notice>
      ) : (
        <>
          <Consequences />
          <form className="form" method="post">
            {reviews > 0 && (
              <Checkbox
                label={reviews === 1 ? 'Delete my review too' : `Delete my ${reviews} reviews too`}
                {...form.field('deleteReviews')}
              />
            )}
            <FormError errors={form.errors} />
            <div className="actions">
              <Button variant="danger">Close my account</Button>{' '}
              <ButtonLink variant="quiet" href="/dashboard/myProfile">
                Keep my account
              </ButtonLink>
            </div>
          </form>
        </>
      )}
    </>
  )
}

function Consequences() {
  const { unpaidOrders, unshippedOrders, paidOrders, reviews, email, years } = useLoaderData<typeof loader>()
  return (
    <ul className="ruled">
      {unpaidOrders > 0 && (
        <li>
          {orders(unpaidOrders, 'unpaid')} {unpaidOrders === 1 ? 'is' : 'are'} cancelled. A payment that still arrives
          goes back to the card.
        </li>
      )}
      {unshippedOrders > 0 && (
        <li>
          We still send {orders(unshippedOrders, 'paid')} to the address that{' '}
          {unshippedOrders === 1 ? 'it has' : 'they have'}.
        </li>
      )}
      {paidOrders > 0 && (
        <li>
          The law wants our books: {orders(paidOrders, 'paid')} {paidOrders === 1 ? 'keeps' : 'keep'} your name, email,
          address and phone for {years} whole years after the year of the payment. Then we remove them. Until then,
          emails about a parcel or a refund go to {email}.
        </li>
      )}
      <li>
        Your profile, your messages, price requests without an order, back-in-stock emails, your password and every way
        to log in are deleted. You are logged out everywhere.
      </li>
      {reviews > 0 && (
        <li>Your reviews stay, under the name “Closed account”, unless you delete them with this form.</li>
      )}
      <li>
        You can register anew with {email}. The new account sees nothing of this one: download your data first if you
        need it.
      </li>
      <li>We send a last email to {email}.</li>
    </ul>
  )
}

function orders(count: number, kind: string): string {
  return count === 1 ? `1 ${kind} order` : `${count} ${kind} orders`
}
