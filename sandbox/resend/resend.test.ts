import { request, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { openSandbox } from '../testing/fixture'
import { mailApiKey } from '../keys'
import type { SentEmail } from './sent-email'

const letter = {
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

test('mail is taken, and listed newest first', async () => {
  const { post, sent } = await openMail()
  const answer = await post({ ...letter, html: '<p>Thank you.</p>', reply_to: 'help@cadenza.example' })
  expect(answer.status).toBe(200)
  await post({ ...letter, to: 'Grace <grace@example.com>', subject: 'Second' })
  expect(await sent()).toMatchObject([
    { to: 'Grace <grace@example.com>', subject: 'Second', html: null },
    { to: 'ada@example.com', replyTo: 'help@cadenza.example', subject: 'Your order', html: '<p>Thank you.</p>' },
  ])
  expect((await sent()).at(-1)).toMatchObject(await answer.json<{ id: string }>())
  expect(Date.parse((await sent())[0]!.at)).toBeCloseTo(Date.now(), -5)
  expect(await sent('?to=GRACE@example.com')).toHaveLength(1)
  expect(await sent('?to=nobody@example.com')).toEqual([])
})

test('the same key sends once, and not something else', async () => {
  const { post, sent } = await openMail()
  const key = { 'idempotency-key': 'letter-1' }
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => (await (await post(letter, key)).json<{ id: string }>()).id),
  )
  expect(new Set(ids).size).toBe(1)
  expect(await sent()).toHaveLength(1)
  expect((await post({ ...letter, subject: 'Other' }, key)).status).toBe(409)
  expect(await sent()).toHaveLength(1)
})

test.each([
  [{ ...letter, to: 'ada' }, '`to`'],
  [{ ...letter, to: [] }, '`to`'],
  [{ ...letter, from: 'Cadenza' }, '`from`'],
  [{ ...letter, subject: '' }, '`subject`'],
  [{ ...letter, subject: 'a\r\nBcc: b@example.com' }, '`subject`'],
  [{ ...letter, text: undefined }, '`html` or `text`'],
  [{ ...letter, bcc: 'b@example.com' }, '`bcc`'],
  [[], 'JSON object'],
])('mail like %j is refused', async (wrong, words) => {
  const { post, sent, log } = await openMail()
  const answer = await post(wrong)
  expect(answer.status).toBe(422)
  expect((await answer.json<{ message: string }>()).message).toContain(words)
  expect(await sent()).toEqual([])
  expect(log).toHaveLength(1)
})

test('mail without the key, or with a wrong one, is refused', async () => {
  const { url, post } = await openMail()
  expect((await fetch(`${url}/emails`, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await post(letter, { authorization: 'Bearer re_other' })).status).toBe(403)
})

test('mail from a program that does not name itself is refused, as by what stands in front of Resend', async () => {
  const { url, post, sent, log } = await openMail()
  const nameless = await new Promise<IncomingMessage>((resolve, reject) =>
    request(`${url}/emails`, { method: 'POST', headers: { authorization: `Bearer ${mailApiKey}` } }, resolve)
      .once('error', reject)
      .end(JSON.stringify(letter)),
  )
  expect(nameless.statusCode).toBe(403)
  expect(Buffer.concat((await nameless.toArray()) as Buffer[]).toString()).toBe('error code: 1010')
  expect((await post(letter, { 'user-agent': '' })).status).toBe(403)
  expect(await sent()).toEqual([])
  expect(log).toHaveLength(2)
})

test('the inbox shows mail to a person: escaped, with links, HTML only in a closed frame', async () => {
  const { post, inbox } = await openMail()
  expect(await inbox()).toContain('Nothing was sent so far.')
  await post({
    ...letter,
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

test('the inbox can be emptied', async () => {
  const { post, sent, send } = await openMail()
  await post(letter)
  expect((await send('DELETE', '/mail')).status).toBe(204)
  expect(await sent()).toEqual([])
})
