import { at, expect, minute, noon, test } from '../../../tests/support/store'
import { emails } from '../../db/schema'
import { defaultEmailWords, emailKindNames } from '../email/words.server'
import { parseEmailWords } from '../email/write-words.server'
import { limits } from '../shared/limits'
import {
  emailWordsCommand,
  exampleOf,
  listEmails,
  maxEmailText,
  readEmail,
  saveEmailWords,
  sendExample,
} from './email-settings.server'
import { saveSettings, SettingsForm } from './settings.server'
import { settingNames, type Settings } from './settings'

const kind = 'order-shipped'
const words = defaultEmailWords(kind)
const mine = { subject: 'Sent: {order}', text: 'It left.\n\n{details}\n\n{link}', button: 'Look' }

function problemsOf(input: object, of: Parameters<typeof emailWordsCommand>[0] = kind) {
  const { error } = emailWordsCommand(of).safeParse({ intent: 'save', version: 0, ...words, ...input })
  return error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []
}

test.for<[input: object, field: string, message: string]>([
  [{ subject: '' }, 'subject', 'Subject is required'],
  [{ subject: 'x'.repeat(151) }, 'subject', 'Subject must be at most 150 characters'],
  [{ subject: '<b>Sent</b>' }, 'subject', 'Subject must be plain text, without HTML'],
  [{ subject: 'Sent {link}' }, 'subject', '{link} can only stand in the text'],
  [{ button: '' }, 'button', 'Button is required'],
  [{ button: 'x'.repeat(61) }, 'button', 'Button must be at most 60 characters'],
  [{ button: '<b>' }, 'button', 'Button must be plain text, without HTML'],
  [{ text: undefined }, 'text', 'Text is required'],
  [{ text: 'x'.repeat(maxEmailText + 1) }, 'text', `Text must be at most ${maxEmailText} characters`],
  [{ text: `<p>\n\n${mine.text}` }, 'text', 'Text must be plain text, without HTML'],
  [{ text: '{link}' }, 'text', '{details} is missing: the table with the facts'],
  [{ version: undefined }, 'version', 'This form has expired. Reload the page.'],
])('refuses the words %j', ([input, field, message]) => {
  expect(problemsOf(input)).toEqual([[field, message]])
})

test('takes words up to their limits, for a press of each button, and no button for an email without one', () => {
  const text = '{details}\n\n{link}\n\n'
  const long = { subject: 'x'.repeat(150), button: 'x'.repeat(60), text: text + 'x'.repeat(maxEmailText - text.length) }
  for (const intent of ['save', 'preview', 'test']) expect(problemsOf({ ...long, intent, seen: 1 })).toEqual([])
  expect(emailWordsCommand(kind).parse({ intent: 'default', version: 2, seen: 3, subject: '' })).toEqual({
    ...{ intent: 'default', version: 2, seen: 3 },
  })
  expect(problemsOf({ intent: 'burn' })).toHaveLength(1)
  const copy = { ...defaultEmailWords('contact-copy'), button: undefined, intent: 'save', version: 0 }
  expect(emailWordsCommand('contact-copy').parse(copy)).toMatchObject({ button: '' })
  expect(problemsOf({ ...copy, button: '' }, 'contact-copy')).toEqual([])
  expect(problemsOf({ ...copy, button: 'Look' }, 'contact-copy')).toEqual([['button', 'This email has no button']])
})

test('keeps the words of each email, with who changed them, and beside other settings', async ({ shop }) => {
  const admin = await shop.admin()
  const nothing = { version: 0, words, isOwn: false, versions: [] }
  expect(await readEmail(shop.deps, kind)).toEqual(nothing)
  expect((await listEmails(shop.deps)).filter(({ isOwn }) => isOwn)).toEqual([])
  const save = (now: number, version: number, input: typeof words) =>
    saveEmailWords(at(shop, now), admin, kind, { version, ...input })
  await save(1, 0, mine)
  const defaults = Object.fromEntries(settingNames.map((name) => [name, ''])) as Settings
  const form = SettingsForm.parse({ ...defaults, name: 'Rosewood', holdHours: '1', version: 1 })
  await saveSettings(at(shop, 2), admin, { ...defaults, holdHours: '1' }, form)
  await save(3, 2, { ...words, subject: mine.subject, text: mine.text })
  const version = { by: admin.name }
  const versions = [
    { version: 3, savedAt: 3, ...version, changed: ['Button'] },
    { version: 1, savedAt: 1, ...version, changed: ['Subject', 'Text', 'Button'] },
  ]
  expect(await readEmail(shop.deps, kind)).toEqual({
    ...{ version: 3, words: { ...mine, button: words.button }, isOwn: true, versions },
  })
  expect(await readEmail(shop.deps, 'order-paid')).toMatchObject({ isOwn: false, version: 3, versions: [] })
  const list = await listEmails(shop.deps)
  expect(list.map((each) => each.kind)).toEqual(emailKindNames)
  expect(list.filter(({ isOwn }) => isOwn)).toEqual([
    { kind, label: 'On its way', sent: 'When an order is shipped.', isOwn: true },
  ])

  await expect(save(4, 1, { ...mine, button: 'Mine' })).rejects.toMatchObject({
    fields: { button: [`Button: now “${words.button}”. Save again to replace it.`] },
  })
  await saveEmailWords(shop.deps, admin, kind, { version: 1, seen: 3, ...mine, button: 'Mine' })
  expect((await readEmail(shop.deps, kind)).words).toEqual({ ...mine, button: 'Mine' })
  await save(5, 4, words)
  expect(await readEmail(shop.deps, kind)).toMatchObject({ words, isOwn: false })
})

test('reads the words of a later Worker’s document, and only texts', () => {
  const stored = { 'email:order-shipped:button': 'Look', 'email:order-paid:button': 5, 'email:new-kind:text': 'x' }
  expect(parseEmailWords(JSON.stringify(stored))).toEqual({ [kind]: { ...words, button: 'Look' } })
})

test('shows an example with made-up facts, and styles that the policy of the page takes', () => {
  const { subject, text, html } = exampleOf({ origin: 'https://shop.example' }, kind, {
    ...mine,
    text: `Dear {name}, {quantity} × {product} for {total}\n\n${mine.text}`,
  })
  expect([subject, text]).toEqual([
    'Sent: C-1042',
    `Dear Ada, 3 × Viola for $33.03

It left.

Order: C-1042
Instrument: Viola
Price each: $11.01
Quantity: 3
Total: $33.03
Ship to: Ada
1 Bow Lane
Cremona

Look:
https://shop.example

Cadenza, handcrafted instruments and cases
This is an example. Here your customers read why they get this email.`,
  ])
  expect(html).toContain('Dear Ada')
  expect(html).toContain('<title>Sent: C-1042</title></head>')
  const wish = exampleOf({ origin: 'https://shop.example' }, 'back-in-stock', defaultEmailWords('back-in-stock'))
  expect(wish.text).toContain('Other emails: Send me no such emails (https://shop.example)')
})

test('sends the admin an example, once a minute for the same words, and 20 in a quarter of an hour', async ({
  shop,
}) => {
  const [admin, other] = [await shop.admin(), await shop.admin()]
  const rows = () => shop.deps.db.select().from(emails)
  const send = (now: number, input = mine, to = admin) => sendExample(at(shop, now), to, kind, input)
  for (const now of [noon, noon + minute - 1]) await send(now)
  expect(await rows()).toEqual([
    expect.objectContaining({ recipient: admin.email, subject: 'Test: Sent: C-1042', kind: 'test', createdAt: noon }),
  ])
  expect((await rows())[0]!.id).toMatch(/^test:[0-9a-f]{64}$/)
  await send(noon + minute)
  for (const field of ['subject', 'text', 'button'] as const) await send(noon, { ...mine, [field]: `${mine[field]}!` })
  await sendExample(at(shop, noon), admin, 'order-paid', mine)
  await send(noon, mine, other)
  expect(await rows()).toHaveLength(7)
  for (let sent = 7; sent < limits.testEmailsOfAccount.max; sent++) await send(noon)
  await expect(send(noon)).rejects.toMatchObject({ code: 'too-many' })
  await send(noon + 1, mine, other)
})
