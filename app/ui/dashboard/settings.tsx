import type { ReactNode } from 'react'
import { settingLabels, type SettingName, type SettingsVersion } from '../../store/settings/settings'
import { Checkbox } from '../checkbox'
import { Field } from '../field'
import type { FormState } from '../form-state'
import { Select } from '../select'
import { SectionHeader } from '../layout/section-header'
import { Time } from '../time'

/** Pages of their own. */
const pages = [
  ['/dashboard/settings/pages', 'Pages', 'Terms, privacy and others'],
  ['/dashboard/settings/families', 'Families', 'What products are sorted by'],
  ['/dashboard/settings/discounts', 'Discount codes', 'What lowers prices'],
  ['/dashboard/settings/emails', 'Emails', 'What customers read'],
  ['/dashboard/shopEmails', 'Notifications', 'What the shop emails you'],
  ['/dashboard/settings/keys', 'API keys', 'Programs that may call the shop'],
  ['/dashboard/settings/webhooks', 'Webhooks', 'Programs that the shop calls'],
] as const

const sections = [
  ['the-shop', 'The shop'],
  ['look', 'Look'],
  ['contact', 'Contact'],
  ['links', 'Links'],
  ['selling', 'Selling'],
  ['invoices', 'Invoices'],
  ['fixed', 'Set by the deployment'],
] as const

export function SettingsIndex() {
  return (
    <>
      <nav aria-label="Pages of the settings">
        <ul className="tasks">
          {pages.map(([href, text, what]) => (
            <li key={href}>
              <a href={href}>{text}</a> <span className="hint">{what}</span>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="On this page">
        <ul className="filters">
          {sections.map(([id, text]) => (
            <li key={id}>
              <a className="menu-link" href={`#${id}`}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}

interface SettingsFieldsProps {
  form: FormState
  /** The variables of the deployment that settings replace. */
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
  const field = (name: SettingName, more: { hint?: string; rows?: number; type?: 'email' | 'tel' } = {}) => (
    <Field key={name} label={settingLabels[name]} {...form.field(name)} {...more} />
  )
  return (
    <>
      <Group id="the-shop" title="The shop">
        {field('name', { hint: 'On every page, in emails, on invoices, and where the shop is shared.' })}
        {field('tagline', { hint: 'After the name, on the home page and below emails.' })}
        <Select label={settingLabels.secondLanguage} options={secondLanguages} {...form.field('secondLanguage')} />
        {field('heroWords', { rows: 3 })}
        {field('story', { rows: 6, hint: 'An empty line begins a paragraph.' })}
      </Group>
      <Group id="look" title="Look">
        {field('mainColor', {
          hint: 'Links and buttons: such as #0b5394. Empty: varnish. Dark screens get a lighter shade.',
        })}
        {field('accentColor', { hint: 'Rules, stars and the mark beside the name. Empty: brass.' })}
        <Logo form={form} canUpload={canUpload} />
      </Group>
      <Group id="contact" title="Contact" hint="On the home page. What is empty is left out.">
        {field('supportEmail', { type: 'email' })}
        {field('supportPhone', { type: 'tel' })}
        {field('salesEmail', { type: 'email' })}
        {field('salesPhone', { type: 'tel' })}
        {field('ordersEmail', { type: 'email' })}
        {field('ordersPhone', { type: 'tel' })}
        {field('bugsEmail', { type: 'email' })}
        {field('bugsPhone', { type: 'tel' })}
      </Group>
      <Group id="links" title="Links at the foot of each page" hint="Addresses that start with https://.">
        {field('profile')}
        {field('facebook')}
        {field('youtube')}
        {field('instagram')}
      </Group>
      <Group id="selling" title="Selling">
        {field('deliveryTime', { hint: 'Such as 5 to 8 working days.' })}
        {field('returns', { hint: 'Such as Within 30 days of delivery.' })}
        {field('holdHours', { hint: '0: until the order is paid or cancelled.' })}
        {field('reviewDays', {
          hint: 'From shipping to the email, such as 14. Empty: none. Each asks once, and has a link that ends them.',
        })}
      </Group>
      <Group id="invoices" title="Invoices" hint="Of payments from now on: an invoice never changes.">
        {field('sellerName')}
        {field('sellerAddress', { rows: 4 })}
        {field('vatNumber')}
        {field('vatPercent', { hint: 'Such as 19 or 7.7. Both are empty: invoices show no tax.' })}
      </Group>
      <FixedFacts fixed={fixed} variables={Object.values(variables)} />
    </>
  )
}

const secondLanguages = [
  { value: '', text: 'None: English alone' },
  { value: 'de', text: 'German, below /de; what you have typed stays as it is' },
]

function Group({ id, title, hint, children }: { id: string; title: string; hint?: string; children: ReactNode }) {
  return (
    <fieldset className="settings-group" id={id}>
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
        accept="image/svg+xml,image/png,image/jpeg,image/webp,image/avif"
        {...form.field('picture')}
        disabled={!canUpload}
        hint={
          canUpload
            ? 'An SVG, or a PNG with a transparent ground. It stands before the name, 32 px high.'
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

function FixedFacts({ fixed, variables }: { fixed: Fixed[]; variables: string[] }) {
  return (
    <section className="settings-group" aria-labelledby="fixed">
      <h2 id="fixed">Set by the deployment</h2>
      {variables.length > 0 && (
        <p className="hint wrap-anywhere">
          What is saved above takes the place of these variables: {[...new Set(variables)].join(', ')}.
        </p>
      )}
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
