import { t } from '../../i18n/language'
interface InvoiceLinksProps {
  /** Of a paid order; null while its invoice has no seller yet. */
  links: { title: string; path: string }[] | null
}

export function InvoiceLinks({ links }: InvoiceLinksProps) {
  if (!links) return <>{t('The invoice will be here in a few minutes.')} </>
  if (links.length === 0) return <>{t('No invoice: this order was paid before we issued them.')} </>
  return links.map(({ title, path }) => (
    <span key={path}>
      <a href={path}>{title}</a>{' '}
    </span>
  ))
}
