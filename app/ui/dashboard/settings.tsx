import type { ReactNode } from 'react'
import {
  namesIn,
  sectionOf,
  settingOf,
  type SettingName,
  type SettingSection,
  type SettingsVersion,
} from '../../store/settings/settings'
import { formatTime } from '../../store/shared/dates'
import { pictureTypes } from '../catalog/picture-rows'
import { Checkbox } from '../checkbox'
import { Field } from '../field'
import type { FormState } from '../form-state'
import { SectionHeader } from '../layout/section-header'
import { ReceiptLines } from '../orders/receipt-lines'
import { Select } from '../select'

/** The page, in the order of a first day: sections of the form, and pages of their own. */
const list: (SettingSection | [href: string, text: string, what: string])[] = [
  ...(['the-shop', 'contact', 'selling', 'invoices'] as const),
  ['/dashboard/settings/pages', 'Pages', 'Terms, privacy and others'],
  ['/dashboard/settings/families', 'Families', 'What products are sorted by'],
  'look',
  'links',
  ['/dashboard/settings/emails', 'Emails', 'What customers read'],
  ['/dashboard/shopEmails', 'Notifications', 'What the shop emails you'],
  ['/dashboard/settings/discounts', 'Discount codes', 'What lowers prices'],
  ['/dashboard/settings/keys', 'API keys', 'Programs that may call the shop'],
  ['/dashboard/settings/webhooks', 'Webhooks', 'Programs that the shop calls'],
]

interface SettingsFieldsProps {
  form: FormState
  /** The deployment has a bucket and an image service. */
  canUpload: boolean
  /** Sections that stand open, and those that were saved last. */
  open: string[]
  saved: string[]
}

const inputTypes: Record<string, 'email' | 'tel' | 'color' | undefined> = {
  email: 'email',
  phone: 'tel',
  color: 'color',
}

/** Folds, so that a section is found at once; one with an error stands open. */
export function SettingsFields({ form, canUpload, open, saved }: SettingsFieldsProps) {
  const isOpen = (section: SettingSection) =>
    open.includes(section) || namesIn(section).some((name) => form.field(name === 'logo' ? 'picture' : name).errors)
  const field = (name: SettingName) => {
    const { label, type, hint, rows = 4, choices, unset } = settingOf(name)
    if (type === 'picture') return <Logo key={name} form={form} canUpload={canUpload} />
    const common = { label, ...form.field(name) }
    const options = choices && Object.entries(choices).map(([value, text]) => ({ value, text }))
    if (options) return <Select key={name} options={options} {...common} />
    return (
      <Field
        key={name}
        {...common}
        initialValue={common.initialValue || unset}
        type={inputTypes[type] ?? 'text'}
        {...(hint && { hint })}
        {...(type === 'paragraph' && { rows })}
        {...(type === 'zone' && { list: 'time-zones' })}
      />
    )
  }
  return (
    <>
      {list.map((entry) =>
        typeof entry === 'string' ? (
          <Section key={entry} id={entry} {...sectionOf(entry)} isOpen={isOpen(entry)} isSaved={saved.includes(entry)}>
            {namesIn(entry).map(field)}
          </Section>
        ) : (
          <p key={entry[0]} className="settings-link">
            <a href={entry[0]}>{entry[1]}</a> <span className="hint">{entry[2]}</span>
          </p>
        ),
      )}
      <datalist id="time-zones">
        {commonZones.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </datalist>
    </>
  )
}

/** Suggestions: any other name counts too. */
const commonZones =
  `UTC Europe/London Europe/Dublin Europe/Lisbon Europe/Berlin Europe/Vienna Europe/Zurich Europe/Paris
  Europe/Amsterdam Europe/Brussels Europe/Madrid Europe/Rome Europe/Copenhagen Europe/Stockholm Europe/Oslo
  Europe/Warsaw Europe/Prague Europe/Budapest Europe/Athens Europe/Helsinki Europe/Kyiv Europe/Istanbul
  America/New_York America/Chicago America/Denver America/Phoenix America/Los_Angeles America/Anchorage
  America/Halifax America/St_Johns America/Toronto America/Vancouver America/Mexico_City America/Bogota
  America/Sao_Paulo America/Argentina/Buenos_Aires America/Santiago Africa/Cairo Africa/Lagos Africa/Nairobi
  Africa/Johannesburg Asia/Jerusalem Asia/Dubai Asia/Karachi Asia/Kolkata Asia/Kathmandu Asia/Bangkok
  Asia/Singapore Asia/Shanghai Asia/Hong_Kong Asia/Tokyo Asia/Seoul Australia/Perth Australia/Adelaide
  Australia/Brisbane Australia/Sydney Pacific/Auckland Pacific/Honolulu`.split(/\s+/)

interface SectionProps {
  id: string
  title: string
  what: string
  hint?: string | undefined
  isOpen: boolean
  isSaved?: boolean
  children: ReactNode
}

function Section({ id, title, what, hint, isOpen, isSaved = false, children }: SectionProps) {
  return (
    <details className="fold settings-section" id={id} open={isOpen}>
      <summary>
        <span id={`${id}-title`}>{title}</span> <span className="hint">{isSaved ? 'Saved' : what}</span>
      </summary>
      <div className="settings-group" role="group" aria-labelledby={`${id}-title`}>
        {hint && <p className="hint">{hint}</p>}
        {children}
      </div>
    </details>
  )
}

function Logo({ form, canUpload }: { form: FormState; canUpload: boolean }) {
  const address = form.field('logo').initialValue
  const { label, hint } = settingOf('logo')
  return (
    <>
      <input type="hidden" name="logo" value={address} />
      <Field
        label={label}
        type="file"
        accept={pictureTypes}
        {...form.field('picture')}
        disabled={!canUpload}
        hint={canUpload ? hint : 'Files cannot be uploaded here.'}
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

/** What only the deployment can change. */
export function FixedFacts({ fixed }: { fixed: { name: string; value: string }[] }) {
  return (
    <section className="section" aria-labelledby="fixed">
      <SectionHeader title="Set where the shop runs" id="fixed" />
      <p className="hint">Whoever deploys the shop changes these.</p>
      <ReceiptLines lines={fixed.map(({ name, value }) => [name, value])} />
    </section>
  )
}

export function SettingsHistory({ versions }: { versions: SettingsVersion[] }) {
  if (versions.length === 0) return null
  return (
    <details className="fold section">
      <summary>Who changed what</summary>
      <ul className="settings-history">
        {versions.map(({ version, savedAt, by, changed }) => (
          <li key={version}>
            {formatTime(savedAt)} {by}: {changed.join(', ')}
          </li>
        ))}
      </ul>
    </details>
  )
}
