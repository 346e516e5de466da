import type { SubmissionResult } from '@conform-to/react'
import type { AppLoadContext } from '@remix-run/cloudflare'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { digest } from '../../tests/support/authorization-matrix'
import { commandRows, newestRecord, outboxSize, password, person, signIn } from '../../tests/support/command-rows'
import { test, type Customer, type Store } from '../../tests/support/store'
import { findSessionUser } from '../store/accounts/sign-in.server'
import { grantAdmin, setStaffRole } from '../store/accounts/users.server'
import { settingNames } from '../store/settings/settings'

vi.mock('../store/accounts/passwords.server', () => import('../../tests/support/quick-passwords'))

/** Of the forms that were sent. */
const schemas: z.ZodType[] = []

vi.mock('../http/request/forms.server', async (original) => {
  const forms = await original<typeof import('../http/request/forms.server')>()
  const submit: typeof forms.submit = (args, schema, command) => {
    schemas.push(typeof schema === 'function' ? schema(false) : schema)
    return forms.submit(args, schema, command)
  }
  return { ...forms, submit }
})

type Act = (args: { request: Request; context: AppLoadContext; params: Record<string, string> }) => unknown

const modules = import.meta.glob<{ action: Act }>('./**/*.{ts,tsx}')
const sourceOf = (page: string) => readFileSync(`app/routes/${page}.tsx`, 'utf8')
const pagesWithActions = Object.keys(modules)
  .filter((path) => /^export .*\baction\b/m.test(readFileSync(`app/routes/${path}`, 'utf8')))
  .map((path) => path.replace(/^\.\/|\.tsx?$/g, ''))

/** Anybody may send these. What they ask for is tested beside them. */
const open = [
  ...['auth/code', 'auth/forgot-password', 'auth/google', 'auth/login', 'auth/passkey', 'auth/register'],
  ...['auth/reset-password', 'auth/sign-out', 'home', 'unsubscribe', 'not-found', 'api/openapi', 'webhooks/stripe'],
]

/** Parameters of the list from which a form was sent: each page that knows one must lead back with it. */
const asked = { q: 'kazoo', page: '2', before: 'x' }
const ofOrders = ['admin/manage-order', 'admin/packing-slips', 'admin/refund-order']

/** What of `asked` stands in the address of the page, and must stand in that of the answer. */
function keptBy(page: string): (keyof typeof asked)[] {
  if (ofOrders.includes(page)) return ['q']
  if (page === 'admin/change-several') return ['q', 'page']
  const source = sourceOf(page)
  return source.includes('<Pager') ? ['q', 'page', 'before'] : []
}

type Refused = [
  what: string,
  caller: Customer | null,
  minutesSinceLogin: number,
  typed: Record<string, string>,
  answer: RegExp,
]

/** What the rows of a page send, and what its forms take. */
interface Sent {
  fields: Set<string>
  values: Set<string>
  shape: [string, string[]][]
}

/** Whatever is in these, the command is the same. */
const notCommands = /^(anchor|family|level|footer|picture.*|attribute(Name|Value)\d+|(price|stock)\d+)$/

test('asks for the same login and role before each command of every action', { timeout: 60_000 }, async ({ shop }) => {
  shop.skipInvariants('orders that are paid without a payment')
  const events: string[] = []
  vi.spyOn(console, 'info').mockImplementation((line: string) => {
    const { type, event } = JSON.parse(line) as { type?: string; event: string }
    if (type === 'security') events.push(event)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const [admin, ada] = [await person(shop), await person(shop)]
  await grantAdmin(shop.deps, 'test', admin.email)
  const [packer, bookkeeper, former] = [await person(shop), await person(shop), await person(shop)]
  await setStaffRole(shop.deps, admin, packer.id, 'packer')
  await setStaffRole(shop.deps, admin, bookkeeper.id, 'bookkeeper')
  for (const role of ['packer', null] as const) await setStaffRole(shop.deps, admin, former.id, role)
  const rows = await commandRows(shop, admin, ada)
  const wrong: string[] = []
  const sent: Record<string, Sent> = {}

  for (const row of rows) {
    const { page, who, id = '', fields = {}, asks, code, idle } = row
    const owner = row.by ?? (who === 'admin' ? admin : ada)
    const name = [page, ...Object.entries(fields).map((field) => field.join('='))].join(' ')
    const right: Record<string, string> = { ...(asks?.startsWith('password') && { password }) }
    const refusals: Refused[] = [['without a login', null, 0, right, /^\/login\?redirectTo=/]]
    if (who === 'admin')
      refusals.push(
        ['for a customer', ada, 0, right, /^(\/login|403)$/],
        ['for a bookkeeper', bookkeeper, 0, right, /^(\/login|403)$/],
        ['for a packer whose role has ended', former, 0, right, /^(\/login|403)$/],
      )
    if (who === 'admin' && !row.packer) refusals.push(['for a packer', packer, 0, right, /^(\/login|403|refused .*)$/])
    if (asks === 'recent login')
      refusals.push(['after an old login', owner, 16, right, /^\/login\/confirm\?redirectTo=/])
    if (asks?.startsWith('password'))
      refusals.push(
        ['without a password', owner, 0, withCode(code), /^refused/],
        ['with a wrong password', owner, 0, { password: 'wrong horse', ...withCode(code) }, /^refused/],
      )
    if (asks === 'password and code')
      refusals.push(['with a wrong code', owner, 0, { password, code: '000000' }, /^refused/])
    const secrets: (string | null)[] = []
    for (const [, caller, minutes] of refusals) secrets.push(caller && (await signIn(shop, caller, minutes)))
    const secret = await signIn(shop, owner, asks === 'recent login' ? 14 : 16)
    await shop.readLog()
    const before = await state(shop)
    for (const [index, [what, , , typed, expected]] of refusals.entries()) {
      const answer = await post(shop, page, { id, secret: secrets[index]!, fields: { ...fields, ...typed } })
      if (!expected.test(answer)) wrong.push(`${name}: ${answer} ${what}`)
    }
    const refused = await state(shop)
    if (refused !== before) wrong.push(`${name}: a refused request changes something`)
    events.splice(0)
    news.splice(0)
    const enqueued = await outboxSize(shop)
    const answer = await post(shop, page, { id, secret, fields: { ...fields, ...right, ...withCode(code) } })
    const hasChanged = (await state(shop)) !== refused
    await shop.readLog()
    if (news.length === 0 && (await outboxSize(shop)) > enqueued)
      wrong.push(`${name}: its emails and webhooks wait for the cron trigger`)
    if (idle === undefined ? !hasChanged || answer.startsWith('refused') : hasChanged)
      wrong.push(`${name}: ${answer}, and ${hasChanged ? 'something' : 'nothing'} has changed`)
    const { searchParams: back } = new URL(answer.startsWith('/') ? answer : '/', shop.deps.origin)
    const lost = keptBy(page).filter((parameter) => back.get(parameter) !== asked[parameter])
    if (answer.startsWith('/') && lost.length > 0 && !row.leadsOn)
      wrong.push(`${name}: ${answer} has lost ${lost.join()}`)
    if (events.join() !== (row.logs ?? '')) wrong.push(`${name}: logs '${events.join()}'`)
    const record = await newestRecord(shop)
    if (row.records !== undefined && record !== `${row.records} by ${owner.id}`)
      wrong.push(`${name}: records '${record}'`)

    const of = (sent[page] ??= { fields: new Set(), values: new Set(), shape: [] })
    for (const [field, value] of Object.entries({ ...fields, ...right, ...withCode(code) })) {
      of.fields.add(field)
      of.values.add(`${field}=${value}`)
    }
    of.shape.push(...schemas.splice(0).flatMap(shapeOf))
  }
  expect(wrong).toEqual([])

  expect(
    pagesWithActions.filter((page) => !open.includes(page)).flatMap((page) => withoutRow(page, sent[page])),
  ).toEqual([])
})

/** The commands and fields of a page that no row sends. */
function withoutRow(page: string, sent: Sent | undefined): string[] {
  if (!sent) return [page]
  return sent.shape
    .filter(([field]) => !notCommands.test(field))
    .flatMap(([field, choices]) => [
      ...(sent.fields.has(field) ? [] : [`${page} ${field}`]),
      ...choices
        .map((choice) => `${field}=${choice}`)
        .filter((value) => !sent.values.has(value))
        .map((value) => `${page} ${value}`),
    ])
}

const withCode = (code: (() => string) | undefined): Record<string, string> => (code ? { code: code() } : {})

/** Of commands that ask for the readers of the log. */
const news: string[] = []

/** Failed passwords and codes are counted. */
async function state(shop: Store): Promise<string> {
  const { rate_limits: _, ...rest } = await digest(shop)
  return JSON.stringify(rest)
}

/** Where it redirects to, `refused` with the errors, or the status. */
async function post(
  shop: Store,
  page: string,
  { id, secret, fields }: { id: string; secret: string | null; fields: Record<string, string> },
): Promise<string> {
  const { origin } = shop.deps
  const context = {
    ...shop.deps,
    invalidate: (what: string) => news.push(what),
    readLogSoon: () => news.push('log'),
    config: { SHOP_ORIGIN: origin, SESSION_SECRET: 'a secret' },
    defaultSettings: Object.fromEntries(settingNames.map((name) => [name, ''])),
    requestId: 'r1',
    sessionSecret: secret,
    user: () => (secret ? findSessionUser(shop.deps, secret) : Promise.resolve(null)),
    later: () => undefined,
  } as unknown as AppLoadContext
  const query = new URLSearchParams(asked).toString()
  const { action } = await (modules[`./${page}.tsx`] ?? modules[`./${page}.ts`])!()
  const request = new Request(`${origin}/dashboard/x?${query}`, { method: 'POST', body: new URLSearchParams(fields) })
  const answer = await Promise.resolve(action({ request, context, params: { id } })).catch((thrown: unknown) => thrown)
  if (answer instanceof Response) return answer.headers.get('location') ?? String(answer.status)
  if (answer instanceof Error) throw answer
  const { data, init } = answer as { data: { lastResult?: SubmissionResult | null }; init: ResponseInit | null }
  const errors = data.lastResult?.error
  return errors ? `refused ${JSON.stringify(errors)}` : String(init?.status ?? 200)
}

/** Each field with what can be chosen in it: nothing in a field for any text. */
function shapeOf(schema: z.ZodType): [string, string[]][] {
  const { def } = schema as unknown as { def: Record<string, unknown> & { type: string } }
  if (def.type === 'union') return (def.options as z.ZodType[]).flatMap(shapeOf)
  if (def.type === 'pipe') return shapeOf(def.in as z.ZodType)
  return Object.entries((def.shape ?? {}) as Record<string, z.ZodType>).map(([field, type]) => [field, choicesOf(type)])
}

function choicesOf(schema: z.ZodType): string[] {
  const { def } = schema as unknown as { def: Record<string, unknown> & { type: string } }
  if (def.type === 'literal') return def.values as string[]
  if (def.type === 'enum') return Object.values(def.entries as Record<string, string>)
  const inner = def.innerType ?? def.in
  return inner ? choicesOf(inner as z.ZodType) : []
}
