import { expect, test } from 'vitest'
import { openSandbox } from '../testing/fixture'
import { mailApiKey } from '../keys'
import type { SentEmail } from './sent-email'

const email = {
  from: 'Cadenza <orders@cadenza.example>',
  to: ['ada@example.com'],
  subject: 'Your order',
  text: 'Thank you.',
}

async function openMail() {
  const sandbox = await openSandbox()
  return {
    ...sandbox,
    post: (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${sandbox.url}/emails`, {
        method: 'POST',
        headers: { authorization: `Bearer ${mailApiKey}`, ...headers },
        body: JSON.stringify(body),
      }),
    sent: async (query = '') => await (await sandbox.send('GET', `/mail${query}`)).json<SentEmail[]>(),
    inbox: async () => (await sandbox.send('GET', '/')).text(),
  }
}

test('accepts emails and lists them newest first', async () => {
  const { post, sent } = await openMail()
  const response = await post({ ...email, html: '<p>Thank you.</p>', reply_to: 'help@cadenza.example' })
  expect(response.status).toBe(200)
  await post({ ...email, to: 'Grace <grace@example.com>', subject: 'Second' })
  expect(await sent()).toMatchObject([
    { to: 'Grace <grace@example.com>', subject: 'Second', html: null },
    { to: 'ada@example.com', replyTo: 'help@cadenza.example', subject: 'Your order', html: '<p>Thank you.</p>' },
  ])
  expect((await sent()).at(-1)).toMatchObject(await response.json<{ id: string }>())
  expect(Date.parse((await sent())[0]!.at)).toBeCloseTo(Date.now(), -5)
  expect(await sent('?to=GRACE@example.com')).toHaveLength(1)
  expect(await sent('?to=nobody@example.com')).toEqual([])
})

test('sends once per idempotency key and rejects a different body', async () => {
  const { post, sent } = await openMail()
  const key = { 'idempotency-key': 'email-1' }
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => (await (await post(email, key)).json<{ id: string }>()).id),
  )
  expect(new Set(ids).size).toBe(1)
  expect(await sent()).toHaveLength(1)
  expect((await post({ ...email, subject: 'Other' }, key)).status).toBe(409)
  expect(await sent()).toHaveLength(1)
})

test.each([
  [{ ...email, to: 'ada' }, '`to`'],
  [{ ...email, to: [] }, '`to`'],
  [{ ...email, from: 'Cadenza' }, '`from`'],
  [{ ...email, subject: '' }, '`subject`'],
  [{ ...email, subject: 'a\r\nBcc: b@example.com' }, '`subject`'],
  [{ ...email, text: undefined }, '`html` or `text`'],
  [{ ...email, bcc: 'b@example.com' }, '`bcc`'],
  [[], 'JSON object'],
])('rejects the email %j', async (body, message) => {
  const { post, sent, log } = await openMail()
  const response = await post(body)
  expect(response.status).toBe(422)
  expect((await response.json<{ message: string }>()).message).toContain(message)
  expect(await sent()).toEqual([])
  expect(log).toHaveLength(1)
})

test('shows emails in the inbox escaped, with links, and HTML only in a sandboxed frame', async () => {
  const { post, inbox } = await openMail()
  expect(await inbox()).toContain('Nothing was sent so far.')
  await post({
    ...email,
    subject: '<b>Bold</b>',
    text: 'Verify: <http://127.0.0.1:8788/verify-email?token=a&b=c>. Bye',
    html: '<script>alert(1)</script><a href="http://127.0.0.1:8788/">Shop</a>',
  })
  const page = await inbox()
  expect(page).toContain('&lt;b&gt;Bold&lt;/b&gt;')
  expect(page).toContain('<a href="http://127.0.0.1:8788/verify-email?token=a&amp;b=c">')
  expect(page).not.toContain('<script')
  expect(page).toMatch(/<iframe\s+sandbox="allow-popups allow-popups-to-escape-sandbox"/)
})
