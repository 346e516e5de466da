import type { ReactNode } from 'react'
import { settingLabels, type SettingName, type SettingsVersion } from '../../store/settings/settings'
import { Checkbox } from '../checkbox'
import { Field } from '../field'
import type { FormState } from '../form-state'
import { SectionHeader } from '../layout/section-header'
import { Time } from '../time'

interface SettingsFieldsProps {
  form: FormState
  /** The variable of the deployment that a setting replaces. */
  variables: Partial<Record<SettingName, string>>
  fixed: Fixed[]
  /** The deployment has a bucket and an image service. */
  canUpload: boolean
}

/** What only the deployment can change. */
export interface Fixed {
  name: string
  value: string
  variable: string
}

export function SettingsFields({ form, variables, fixed, canUpload }: SettingsFieldsProps) {
  const field = (
    name: SettingName,
    { hint, ...more }: { hint?: string; rows?: number; type?: 'email' | 'tel' } = {},
  ) => {
    const variable = variables[name] && `In place of ${variables[name]} of the deployment.`
    return (
      <Field
        key={name}
        label={settingLabels[name]}
        {...form.field(name)}
        {...more}
        hint={[hint, variable].filter(Boolean).join(' ')}
      />
    )
  }
  return (
    <>
      <Group title="The shop">
        {field('name', { hint: 'On every page, in emails, on invoices, and where the shop is shared.' })}
        {field('tagline', { hint: 'After the name, on the home page and below emails.' })}
        {field('heroWords', { rows: 3 })}
        {field('story', { rows: 6, hint: 'An empty line begins a paragraph.' })}
      </Group>
      <Group title="Look">
        {field('mainColor', {
          hint: 'Links and buttons: such as #0b5394. Empty: varnish. Dark screens get a lighter shade.',
        })}
        {field('accentColor', { hint: 'Rules, stars and the mark beside the name. Empty: brass.' })}
        <Logo form={form} canUpload={canUpload} />
      </Group>
      <Group title="Contact" hint="On the home page. What is empty is left out.">
        {field('supportEmail', { type: 'email' })}
        {field('supportPhone', { type: 'tel' })}
        {field('salesEmail', { type: 'email' })}
        {field('salesPhone', { type: 'tel' })}
        {field('ordersEmail', { type: 'email' })}
        {field('ordersPhone', { type: 'tel' })}
        {field('bugsEmail', { type: 'email' })}
        {field('bugsPhone', { type: 'tel' })}
      </Group>
      <Group title="Links at the foot of each page" hint="Addresses that start with https://.">
        {field('profile')}
        {field('facebook')}
        {field('youtube')}
        {field('instagram')}
      </Group>
      <Group title="Selling">
        {field('deliveryTime', { hint: 'Such as 5 to 8 working days.' })}
        {field('returns', { hint: 'Such as Within 30 days of delivery.' })}
        {field('holdHours', { hint: '0: until the order is paid or cancelled.' })}
        {field('reviewDays', {
          hint: 'From shipping to the email, such as 14. Empty: none. Each asks once, and has a link that ends them.',
        })}
      </Group>
      <Group title="Invoices" hint="Of payments from now on: an invoice never changes.">
        {field('sellerName')}
        {field('sellerAddress', { rows: 4 })}
        {field('vatNumber')}
        {field('vatPercent', { hint: 'Such as 19 or 7.7. Both are empty: invoices show no tax.' })}
      </Group>
      <FixedFacts fixed={fixed} />
    </>
  )
}

function Group({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <fieldset className="settings-group">
      <legend>{title}</legend>
      {hint && <p className="hint">{hint}</p>}
      {children}
    </fieldset>
  )
}

function Logo({ form, canUpload }: { form: FormState; canUpload: boolean }) {
  const address = form.field('logo').initialValue
  return (
    <>
      <input type="hidden" name="logo" value={address} />
      <Field
        label={settingLabels.logo}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/avif"
        {...form.field('picture')}
        disabled={!canUpload}
        hint={
          canUpload
            ? 'PNG with a transparent ground looks best. It stands before the name, 32 px high.'
            : 'Files cannot be uploaded here.'
        }
      />
      {address && (
        <div className="field">
          <img className="settings-logo" src={address} alt="The logo now" />
          <Checkbox label="Remove the logo" {...form.box('removeLogo', false)} />
        </div>
      )}
    </>
  )
}

function FixedFacts({ fixed }: { fixed: Fixed[] }) {
  return (
    <section className="settings-group" aria-labelledby="fixed">
      <h2 id="fixed">Set by the deployment</h2>
      <p className="hint">
        What customers read in emails: <a href="/dashboard/settings/emails">Emails</a>. Emails about orders and
        messages: <a href="/dashboard/shopEmails">Notifications</a>. What products are sorted by:{' '}
        <a href="/dashboard/settings/families">Families</a>. What lowers prices:{' '}
        <a href="/dashboard/settings/discounts">Discount codes</a>.
      </p>
      <dl className="facts">
        {fixed.map(({ name, value, variable }) => (
          <div key={variable}>
            <dt>{name}</dt>
            <dd>
              {value} <span className="hint">{variable}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function SettingsHistory({ versions }: { versions: SettingsVersion[] }) {
  if (versions.length === 0) return null
  return (
    <section className="section" aria-labelledby="versions">
      <SectionHeader title="Who changed what" id="versions" />
      <ul className="settings-history">
        {versions.map(({ version, savedAt, by, changed }) => (
          <li key={version}>
            <Time at={savedAt} /> {by}: {changed.join(', ')}
          </li>
        ))}
      </ul>
    </section>
  )
}
