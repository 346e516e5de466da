import { Button } from '../button'
import { Checkbox } from '../checkbox'
import { Field } from '../field'
import { ErrorSummary, FormError } from '../form-error'
import type { FormState } from '../form-state'
import { SectionHeader } from '../layout/section-header'
import { t } from '../../i18n/language'

const desks = [
  { key: 'support', title: 'Technical support' },
  { key: 'sales', title: 'Sales questions' },
  { key: 'orders', title: 'Order Questions' },
  { key: 'bugs', title: 'Bug report' },
] as const

export type ContactDesk = (typeof desks)[number]['key']

interface ContactProps {
  action: string
  desks: Record<ContactDesk, { email: string; phone: string }>
  form: FormState
  submissionId: string
}

export function Contact({ action, desks: contacts, form, submissionId }: ContactProps) {
  const isAnswered = ({ key }: (typeof desks)[number]) => contacts[key].email || contacts[key].phone
  return (
    <section id="contact" className="section" aria-labelledby="contact-us">
      <SectionHeader title={t('Contact us')} id="contact-us" />
      <div className="split contact">
        <form className="form" method="post" action={action} noValidate>
          <ErrorSummary form={form} />
          <input type="hidden" name="submissionId" value={form.submissionId ?? submissionId} />
          <Field label={t('Name')} {...form.field('name')} autoComplete="name" required />
          <Field label={t('Email')} {...form.field('email')} type="email" autoComplete="email" required />
          <Field label={t('Message')} {...form.field('message')} rows={3} required />
          <p className="honeypot" aria-hidden="true">
            <label htmlFor="website">{t('Leave this empty')}</label>
            <input id="website" name="website" tabIndex={-1} autoComplete="off" />
          </p>
          <Checkbox label={t('Send me a copy of this message')} {...form.box('copy', true)} />
          <FormError errors={form.errors} />
          <Button>{t('Send')}</Button>
        </form>
        <dl className="desks">
          {desks.filter(isAnswered).map(({ key, title }) => (
            <div key={key}>
              <dt>{t(title)}</dt>
              {contacts[key].email && (
                <dd>
                  <a href={`mailto:${contacts[key].email}`}>{contacts[key].email}</a>
                </dd>
              )}
              {contacts[key].phone && <dd>{contacts[key].phone}</dd>}
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
