import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData, useParams } from '@remix-run/react'
import { notFound, requireUser } from '../../http/auth/require-user.server'
import { may } from '../../store/accounts/rights'
import { readInvoice } from '../../store/orders/receipts/invoices.server'
import { InvoiceLinks } from '../../ui/orders/invoice-links'
import { manageOrderPath, orderPath, ReceiptLink } from '../../ui/orders/order-links'
import { Sheet } from '../../ui/orders/sheet'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? t('Invoice')} · ${shopName}` },
]

/** With `creditNote` in the path, that of the invoice. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  const paper = await readInvoice(context, user, params.id ?? '', params.creditNote)
  if (!paper) throw notFound(context, user)
  const back = may(user, 'books') ? manageOrderPath(params.id!) : orderPath(params.id!)
  return { ...paper, back }
}

export default function Invoice() {
  const { title, lead, lines, from, back, related } = useLoaderData<typeof loader>()
  return (
    <Sheet title={title} lead={lead} lines={lines} from={from}>
      <p className="hint no-print">{t('Print this page for your books. Only the sheet is printed.')}</p>
      <p className="actions no-print">
        <ReceiptLink orderId={useParams().id!} /> {related.length > 0 && <InvoiceLinks links={related} />}{' '}
        <a href={back}>{t('Back to the order')}</a>
      </p>
    </Sheet>
  )
}
