import { expect, onTestFinished, test } from 'vitest'
import { defaultWords, setShopName } from '../../shop-name'
import {
  checkbox,
  dayField,
  emailAddress,
  isShopName,
  multiLine,
  parseJson,
  phoneNumber,
  quantityField,
  singleLine,
  submissionIdField,
} from './validation.server'

const messageOf = (result: { success: boolean; error?: { issues: { message: string }[] } }) =>
  result.success ? null : result.error?.issues[0]?.message

test('accepts texts up to their maximum length, with line breaks and tabs in multi-line text', () => {
  const address = multiLine({ label: 'Address', required: 'Address is Required', max: 50 })
  expect(address.parse('1 Bow Lane\rCremona\tItaly')).toBe('1 Bow Lane\nCremona\tItaly')
  expect(address.parse('x'.repeat(50))).toHaveLength(50)
  const name = singleLine({ label: 'Name', required: 'Name is Required', max: 20 })
  expect(name.parse('x'.repeat(20))).toHaveLength(20)
  expect(messageOf(name.safeParse(undefined))).toBe('Name is Required')
  expect(name.safeParse(`${'x'.repeat(21)}\u0000`).error?.issues).toHaveLength(1)
  expect(phoneNumber.parse(` ${'1'.repeat(32)} `)).toHaveLength(32)
})

test.each([
  [undefined, 'Address is Required'],
  ['\r\n', 'Address is Required'],
  ['x'.repeat(51), 'Address must be at most 50 characters'],
  [`${'x'.repeat(51)}\u0000`, 'Address must be at most 50 characters'],
  ['a\u0000b', 'Address contains characters that are not allowed'],
  ['a\u000bb', 'Address contains characters that are not allowed'],
  ['\ud83c', 'Address contains characters that are not allowed'],
])('refuses the multi-line text %j with %j', (input, message) => {
  const address = multiLine({ label: 'Address', required: 'Address is Required', max: 50 })
  expect(messageOf(address.safeParse(input))).toBe(message)
  expect(address.safeParse(input).error?.issues).toHaveLength(1)
})

test.each(['jo@shop.c', '@shop.com', 'jo@shop.com>', 'jo@shop.com, x', 'j\ud83co@shop.com', 'jo\u007f@shop.com'])(
  'refuses the email %j',
  (input) => {
    expect(messageOf(emailAddress.safeParse(input))).toBe('Provide a valid Email')
  },
)

test.each([
  ['form-one', true],
  ['x'.repeat(100), true],
  ['x'.repeat(101), false],
  ['form-1', false],
  ['form one', false],
  ['form-one!', false],
  ['!form-one', false],
])('accepts the submission id %j: %j', (input, accepted) => {
  const refusal = accepted ? null : 'This form has expired. Please send it again.'
  expect(messageOf(submissionIdField.safeParse(input))).toBe(refusal)
})

const whole = 'Stock must be a whole number from 2 to 1,000,000'

test.each([
  [2, null],
  [1_000_000, null],
  [1, whole],
  [1_000_001, whole],
  [2.5, whole],
  ['3', whole],
  [null, whole],
  [undefined, 'Stock is Required'],
])('a quantity of %j: %j', (input, message) => {
  expect(messageOf(quantityField('Stock', 2).safeParse(input))).toBe(message)
})

test('reads a day of the calendar, a box and JSON', () => {
  const day = dayField('Day is Required')
  expect(day.parse(' 2026-11-24 ')).toBe(Date.UTC(2026, 10, 24))
  expect([messageOf(day.safeParse(undefined)), messageOf(day.safeParse('2026-11-31'))]).toEqual([
    ...['Day is Required', 'Give a day, like 2026-12-31'],
  ])
  expect([checkbox.parse('on'), checkbox.parse(undefined), checkbox.safeParse('off').success]).toEqual([
    true,
    false,
    false,
  ])
  expect([parseJson('{"a":1}'), parseJson('{'), parseJson('')]).toEqual([{ a: 1 }, undefined, undefined])
})

test.each([
  ['Cadenza', 'Cadenza', true],
  ['Cadenza', ' C a d é n-z a', true],
  ['Cadenza', 'ＣＡＤＥＮＺＡ', true],
  ['Cadenza', 'Cadenza Team', false],
  ['Cadenza', 'Cadenz', false],
  ['Cadenza', '', false],
  ['Lee', 'Kathleen Byrne', false],
  ['Lee', 'Lee Chung', false],
  ['Lee', 'LEE', true],
  ['Müller', 'Jürgen Müller', false],
  ['Müller', 'mu\u0308ller', true],
  ['Al’s', 'Hal Smith', false],
  ['Al’s', "Al's", true],
  ['李', '李', true],
  ['李', '李明', false],
  ['🎻', '', false],
  ['🎻', 'Ada', false],
])('in the shop %j, the name %j is the shop’s: %s', (shop, name, isTaken) => {
  onTestFinished(() => setShopName(defaultWords))
  setShopName({ name: shop, tagline: '' })
  expect(isShopName(name)).toBe(isTaken)
})
