import { expect, test } from 'vitest'
import { inLanguage } from '../../i18n/language.server'
import { defaultEmailWords, emailKindNames, isEmailKind, problemsOfWords, variablesOf } from './words.server'
import { inWords, parseEmailWords, setEmailWords } from './write-words.server'

const kind = 'order-hold-ends'
const words = { subject: 'Not paid: {order}', text: 'Until {until}.\n\n{details}\n\n{link}', button: 'Pay {total}' }
const variables = '{name}, {order}, {quantity}, {product}, {total}, {until}, {shop}'

test.for<[more: Partial<typeof words>, field: string, message: string]>([
  [{ subject: 'For {nobody}' }, 'subject', `There is no variable {nobody} here. These are: ${variables}`],
  [{ button: 'Pay {}' }, 'button', `There is no variable {} here. These are: ${variables}`],
  [
    { subject: `{${'x'.repeat(41)}}` },
    'subject',
    `There is no variable {${'x'.repeat(40)}} here. These are: ${variables}`,
  ],
  [
    { text: `${words.text}\n\n{x}` },
    'text',
    `There is no variable {x} here. These are: ${variables}, {details}, {link}`,
  ],
  [{ subject: 'See {link}' }, 'subject', '{link} can only stand in the text'],
  [{ button: '{details}' }, 'button', '{details} can only stand in the text'],
  [{ subject: 'A { b' }, 'subject', 'Braces belong to variables, such as {shop}'],
  [{ button: '{total}}' }, 'button', 'Braces belong to variables, such as {shop}'],
  [{ text: '{details}\n\n{link}' }, 'text', '{until} is missing: the end of the reservation'],
  [{ text: '{until}\n\n{details}' }, 'text', '{link} is missing: the button with the link'],
  [
    { text: '{until} {link}\n\n{details}' },
    ...(['text', '{link} needs a paragraph of its own: an empty line before and after it'] as const),
  ],
  [{ text: `${words.text}\n\n{link}` }, 'text', '{link} stands there twice'],
])('refuses the words %j', ([more, field, message]) => {
  expect(problemsOfWords(kind, { ...words, ...more })).toEqual([{ field, message }])
})

test('takes any known variable, and blocks with spaces around them', () => {
  const text = '{name} {order} {quantity} {product} {total} {until} {until} {shop}\n \n {details} \n\n\n{link}\n'
  expect(problemsOfWords(kind, { ...words, text })).toEqual([])
  expect(problemsOfWords(kind, { subject: '', text: '{', button: '' }).map(({ message }) => message)).toEqual([
    ...['Braces belong to variables, such as {shop}', '{until} is missing: the end of the reservation'],
  ])
})

test.for(emailKindNames)('the words of %s are valid in both languages', (name) => {
  expect([
    problemsOfWords(name, defaultEmailWords(name)),
    problemsOfWords(name, defaultEmailWords(name, 'de')),
  ]).toEqual([...[[], []]])
  expect([isEmailKind(name), isEmailKind(`${name}s`), isEmailKind('toString')]).toEqual([true, false, false])
  expect(variablesOf(name).shop).toEqual({ means: 'the shop’s name', sample: '' })
})

const values = { greeting: 'Hello Ada,', link: 'https://shop.example/new' }
const button = { button: { text: 'Choose a new password', link: values.link } }

test('leaves out the paragraph whose value is missing, and takes the default of a line', () => {
  expect(
    inWords('reset-password', { ...values, greeting: null }, { subject: '', text: '{greeting}\n\n{link}', button: '' }),
  ).toEqual({
    ...{ subject: '', paragraphs: [{ button: { text: '', link: values.link } }] },
  })
  const mine = { subject: 'For {greeting}', text: 'You: {greeting}\n\n{shop} {shop}\n\n{link}', button: '{greeting}' }
  expect(inWords('reset-password', { ...values, greeting: null }, mine)).toEqual({
    ...{ subject: 'Choose a new password', paragraphs: ['Cadenza Cadenza', button] },
  })
  expect(inWords('reset-password', { ...values, greeting: 'A\r\n\nB' }, mine).subject).toBe('For A B')
})

test('writes an email without a name for it where its own words and the defaults need what is missing', () => {
  const order = { name: 'Ada', quantity: '1', product: 'Viola', total: '$1.00', link: values.link, details: [] }
  const { subject } = inWords('order-paid', { ...order, order: null }, { ...defaultEmailWords('order-paid') })
  expect(subject).toBe('Cadenza')
})

test('uses the words of the admin in every language, and the defaults for words that are not valid any more', () => {
  const subjects = () => [
    inWords('reset-password', values).subject,
    inLanguage('de', () => inWords('reset-password', values).subject),
  ]
  const plain = ['Choose a new password', defaultEmailWords('reset-password', 'de').subject]
  expect(subjects()).toEqual(plain)
  setEmailWords(parseEmailWords('{"email:reset-password:subject":"New key"}'))
  expect(subjects()).toEqual(['New key', 'New key'])
  setEmailWords(parseEmailWords('{"email:reset-password:subject":"New {key}"}'))
  expect(subjects()).toEqual(plain)
  setEmailWords({})
})
