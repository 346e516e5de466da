import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { submit } from '../../http/request/forms.server'
import { browserCache } from '../../http/response/headers.server'
import { toastTo } from '../../http/response/toast.server'
import { requireUser } from '../../http/auth/require-user.server'
import { ProfileUpdate, readProfile, updateProfile } from '../../store/accounts/profile.server'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { SectionHeader } from '../../ui/layout/section-header'
import { shopName } from '../../shop-name'
import { t } from '../../i18n/language'

export { clientAction } from '../../browser/lost-connection'

export const handle = { scripts: true }

export const meta: MetaFunction = () => [{ title: `${t('My Profile')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const profile = await readProfile(context, await requireUser(request, context))
  // Back to it shows what was typed.
  return data({ profile }, { headers: { 'cache-control': browserCache } })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request, context)
  return submit({ request, context }, ProfileUpdate, async (input) => {
    await updateProfile(context, user, input)
    return toastTo(context, '/dashboard/myProfile', t('Your profile is updated'), { inPlace: true })
  })
}

export default function MyProfile() {
  const { name, email, image, address, phone } = useLoaderData<typeof loader>().profile
  const form = formState(useActionData<typeof action>(), {
    name,
    image: image ?? '',
    address: address ?? '',
    phone: phone ?? '',
  })
  const busy = useNavigation().state !== 'idle'
  return (
    <>
      <PageHeader title={t('My Profile')} lead={t('What you save here is filled in for you when you order.')}>
        {image && <img className="portrait" src={image} alt="" width={56} height={56} />}
      </PageHeader>
      <Form className="form" method="post" noValidate preventScrollReset>
        <ErrorSummary form={form} />
        <Field label={t('Name')} {...form.field('name')} autoComplete="name" required />
        <Field
          label={t('Email')}
          name="email"
          type="email"
          value={email}
          readOnly
          errors={form.field('email').errors}
        />
        <Field
          label={t('Image')}
          {...form.field('image')}
          inputMode="url"
          autoComplete="photo"
          hint={t('Optional. A link that starts with https://')}
        />
        <Field
          label={t('Address')}
          {...form.field('address')}
          rows={3}
          autoComplete="street-address"
          hint={t('Optional')}
        />
        <Field
          label={t('Phone')}
          {...form.field('phone')}
          type="tel"
          autoComplete="tel"
          hint={t('Optional. With the country code, at least 11 characters: +1 212 555 0123')}
        />
        <FormError errors={form.errors} />
        <Button busy={busy}>{t('Update Profile')}</Button>
      </Form>
      <section className="section" aria-labelledby="security">
        <SectionHeader title={t('Security and data')} id="security" />
        <ul className="ruled">
          {[
            ['/dashboard/myProfile/sessions', t('Where you are logged in')] as const,
            ['/dashboard/myProfile/secondFactor', t('Second factor')] as const,
            ['/dashboard/wishes', t('Back-in-stock emails')] as const,
            ['/dashboard/myProfile/data', t('My data, and closing the account')] as const,
          ].map(([path, text]) => (
            <li key={path}>
              <a href={path}>{text}</a>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
