import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData, useParams } from '@remix-run/react'
import { notFound, requireUser } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { readReceipt } from '../../store/orders/receipts/receipts.server'
import { ReceiptRequest, sendReceiptAgain } from '../../store/orders/receipts/send-receipt.server'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { InvoiceLinks } from '../../ui/orders/invoice-links'
import { orderPath, receiptPath } from '../../ui/orders/order-links'
import { ReceiptAgain } from '../../ui/orders/receipt-again'
import { Sheet } from '../../ui/orders/sheet'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export const meta: MetaFunction = () => [{ title: `${t('Receipt')} · ${shopName}` }]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  const receipt = await readReceipt(context, user, params.id ?? '')
  if (!receipt) throw notFound(context, user)
  return receipt
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  const id = params.id ?? ''
  return submit({ request, context }, ReceiptRequest, async ({ backTo }) => {
    const { recipient } = await sendReceiptAgain(context, customer, id)
    const path = backTo === 'order' ? orderPath(id) : receiptPath(id)
    return toastTo(context, path, t('Your receipt is on its way to {email}.', { email: recipient }))
  })
}

export default function Receipt() {
  const { errors } = formState(useActionData<typeof action>())
  const { id = '' } = useParams()
  const { lines, isRefunded, isOwn, from, invoice } = useLoaderData<typeof loader>()
  return (
    <Sheet
      title={t('Receipt')}
      lead={isRefunded ? t('Paid by card, and refunded in full.') : t('Paid by card. Thank you for your order.')}
      lines={lines}
      from={from}
    >
      <p className="hint no-print">{t('Print this page for your records. Only the receipt is printed.')}</p>
      <FormError errors={errors} />
      <div className="actions no-print">
        {isOwn && <ReceiptAgain orderId={id} />} <InvoiceLinks links={invoice} />{' '}
        <a href="/dashboard/myOrders">{t('Back to My Orders')}</a>
      </div>
    </Sheet>
  )
}
