import { parse } from 'node-html-parser'
import { expect, test } from 'vitest'
import type { Email } from '../deps'
import {
  accountNotice,
  contactEmails,
  failedRefundEmail,
  passwordResetEmail,
  signInLinkEmail,
  verificationEmail,
  wrongCodesEmail,
} from './templates.server'

const to = { email: 'ada@example.com', tokenHash: 'h1', link: 'https://shop.example/x?token=a&b="c"' }
const ada = '<a href="https://evil.example">Ada & Co</a>'

test.for<[string, Email, string, string]>([
  ['verify-email:h1', verificationEmail(to), 'Verify my email', to.link],
  ['reset-password:h1', passwordResetEmail({ ...to, name: 'Ada & Co' }), 'Choose a new password', to.link],
  ['sign-in:h1', signInLinkEmail(to), 'Log in from this browser', to.link],
  [
    'account:n1',
    accountNotice({ ...to, id: 'n1', subject: 'Changed', what: 'It has changed.', origin: 'https://shop.example' }),
    'Choose a new password',
    'https://shop.example/forgot-password',
  ],
  [
    'wrong-codes:u1:20000',
    wrongCodesEmail({ ...to, userId: 'u1', day: 20000, origin: 'https://shop.example' }),
    'Choose a new password',
    'https://shop.example/forgot-password',
  ],
  [
    'refund-undone:re_1',
    failedRefundEmail({ refundId: 're_1', amount: '$5.00', page: 'https://shop.example/o1', shopEmail: to.email }),
    'View the order',
    'https://shop.example/o1',
  ],
])('renders the email %s with one button, and the same words as text', ([id, email, button, link]) => {
  expect(email).toMatchObject({ id, recipient: 'ada@example.com' })
  const page = parse(email.html)
  expect(page.querySelector('title')?.textContent).toBe(email.subject)
  expect(page.querySelectorAll('a').map((a) => [a.getAttribute('href'), a.textContent])).toEqual([[link, button]])
  const shown = page.querySelectorAll('body p:not(.name)').map((p) => p.structuredText)
  expect(shown).toEqual(email.text.replace(`:\n${link}`, '').split('\n\n'))
  expect(/https?:\S+/.exec(email.text)?.[0]).toBe(link)
  expect(shown.at(-1)).toMatch(/^Cadenza, handcrafted instruments and cases\nYou get this email because /)
})

test('escapes the name and the message of a visitor, and links neither', () => {
  const message = 'Hello <b>\n\nhttps://evil.example'
  const { toShop, toSender } = contactEmails({ id: 'm1', name: ada, ...to, message, shopEmail: 'shop@example.com' })
  expect([toShop.id, toShop.recipient, toSender.id, toSender.recipient]).toEqual([
    ...['contact:m1', 'shop@example.com', 'contact-copy:m1', 'ada@example.com'],
  ])
  for (const email of [toShop, toSender, passwordResetEmail({ ...to, name: ada })]) {
    expect(email.html).toContain('&#60;a href=&#34;https://evil.example&#34;&#62;Ada &#38; Co&#60;/a&#62;')
    expect(email.text).toContain(ada)
  }
  for (const email of [toShop, toSender]) {
    expect(email.html).toContain('<p>Hello &#60;b&#62;<br><br>https://evil.example</p>')
    expect(email.text).toContain(message)
    expect(parse(email.html).querySelector('a')).toBeNull()
  }
})
