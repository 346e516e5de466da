import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { fixedByDeployment } from '../../http/config.server'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { pictureUpload, storePicture } from '../../store/catalog/pictures/pictures.server'
import { sectionsOf } from '../../store/settings/settings'
import { readSettings, saveSettings, SettingsFormWithLogo } from '../../store/settings/settings.server'
import { Button, ButtonLink } from '../../ui/button'
import { FixedFacts, SettingsFields, SettingsHistory } from '../../ui/dashboard/settings'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'

const path = '/dashboard/settings'

export const meta: MetaFunction = () => [{ title: `Settings · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { version, settings, versions } = await readSettings(context, context.defaultSettings)
  const { searchParams } = new URL(request.url)
  const saved = searchParams.get('saved')?.split(',') ?? []
  return {
    saved,
    open: [...saved, searchParams.get('open') ?? ''],
    version,
    settings,
    versions,
    fixed: fixedByDeployment(context.config),
    canUpload: context.pictures !== null,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  const files = { ...pictureUpload, names: ['picture' as const] }
  return submit({ request, context, files }, SettingsFormWithLogo, async ({ removeLogo, ...input }, { picture }) => {
    const logo = picture ? await storePicture(context, picture[0]!) : removeLogo ? '' : input.logo
    const saved = sectionsOf(await saveSettings(context, admin, context.defaultSettings, { ...input, logo }))
    const back = saved[0] ? `${path}?saved=${saved.join(',')}#${saved[0]}` : path
    return toastTo(context, back, 'Saved.')
  })
}

export default function SettingsPage() {
  const { version, settings, versions, fixed, canUpload, saved, open } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const form = formState(actionData, { ...settings, version: String(version) })
  return (
    <>
      <PageHeader title="Settings" lead="What the shop says about itself. A change is on every page at once." />
      <form className="form settings" method="post" encType="multipart/form-data" action={useSendTo()} noValidate>
        <ErrorSummary form={form} />
        <FormError errors={form.errors} />
        <input type="hidden" name="version" value={form.field('version').initialValue} />
        {/* After a conflict, saving again replaces the other change. */}
        {form.errors && <input type="hidden" name="seen" value={version} />}
        <SettingsFields form={form} canUpload={canUpload} open={open} saved={actionData ? [] : saved} />
        <p className="actions save-bar">
          <Button>Save</Button>{' '}
          <ButtonLink variant="quiet" href="/dashboard">
            Back
          </ButtonLink>
        </p>
      </form>
      <SettingsHistory versions={versions} />
      <FixedFacts fixed={fixed} />
    </>
  )
}
