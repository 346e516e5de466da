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
import { t } from '../../i18n/language'

const path = '/dashboard/myProfile/data/close'

export const meta: MetaFunction = () => [{ title: `${t('Close my account')} · ${shopName}` }]

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
    return toastTo(context, '/', t('Your account is closed. We have sent you an email about it.'), {
      headers: await signedOutHeaders(context),
    })
  })
}

export default function CloseAccount() {
  const { isLastAdmin, reviews } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  return (
    <>
      <PageHeader title={t('Close my account?')} lead={t('Nobody can undo this, not even the shop.')} />
      {isLastAdmin ? (
        <Notice tone="error">{t('You are the only admin of the shop. Make somebody else an admin first.')}</Notice>
      ) : (
        <>
          <Consequences />
          <form className="form" method="post">
            {reviews > 0 && (
              <Checkbox
                label={
                  reviews === 1 ? t('Delete my review too') : t('Delete my {count} reviews too', { count: reviews })
                }
                {...form.field('deleteReviews')}
              />
            )}
            <FormError errors={form.errors} />
            <div className="actions">
              <Button variant="danger">{t('Close my account')}</Button>{' '}
              <ButtonLink variant="quiet" href="/dashboard/myProfile">
                {t('Keep my account')}
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
          {unpaidOrders === 1
            ? t('1 unpaid order is cancelled. A payment that still arrives goes back to the card.')
            : t('{count} unpaid orders are cancelled. A payment that still arrives goes back to the card.', {
                count: unpaidOrders,
              })}
        </li>
      )}
      {unshippedOrders > 0 && (
        <li>
          {unshippedOrders === 1
            ? t('We still send 1 paid order to the address that it has.')
            : t('We still send {count} paid orders to the address that they have.', { count: unshippedOrders })}
        </li>
      )}
      {paidOrders > 0 && (
        <li>
          {paidOrders === 1
            ? t(
                'The law wants our books: 1 paid order keeps your name, email, address and phone for {years} whole years after the year of the payment. Then we remove them. Until then, emails about a parcel or a refund go to {email}.',
                { years, email },
              )
            : t(
                'The law wants our books: {count} paid orders keep your name, email, address and phone for {years} whole years after the year of the payment. Then we remove them. Until then, emails about a parcel or a refund go to {email}.',
                { count: paidOrders, years, email },
              )}
        </li>
      )}
      <li>
        {t(
          'Your profile, your messages, price requests without an order, back-in-stock emails, your password and every way to log in are deleted. You are logged out everywhere.',
        )}
      </li>
      {reviews > 0 && (
        <li>{t('Your reviews stay, under the name “Closed account”, unless you delete them with this form.')}</li>
      )}
      <li>
        {t(
          'You can register anew with {email}. The new account sees nothing of this one: download your data first if you need it.',
          { email },
        )}
      </li>
      <li>{t('We send a last email to {email}.', { email })}</li>
    </ul>
  )
}
