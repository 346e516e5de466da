import { eq } from 'drizzle-orm'
import { users } from '../../app/db/schema'
import { expect, test, type Customer, type Shop } from '../support/shop'

const path = '/dashboard/myProfile'
const button = 'Update Profile'

const full = {
  name: 'Augusta 李',
  image: 'https://pictures.example/ada.png?size=2',
  address: '1 Bow Lane\nCremona <b>26100</b>',
  phone: '+39 (0372) 555-0199',
}

async function rowOf(shop: Shop, { id }: Customer) {
  const [row] = await shop.deps.db.select().from(users).where(eq(users.id, id))
  return row!
}

async function owner(shop: Shop, name = 'Ada') {
  const customer = await shop.customer({ name })
  const browser = await shop.visitor().signIn(customer)
  const updates = async (typed: Record<string, string>) => browser.press(await browser.get(path), button, typed)
  return { customer, browser, updates }
}

const valueOf = (response: { page: import('node-html-parser').HTMLElement }, field: string) => {
  const control = response.page.querySelector(`#${field}`)!
  return control.tagName === 'TEXTAREA' ? control.textContent : control.getAttribute('value')
}

test('stores a profile and shows it again', async ({ shop }) => {
  const { customer, browser, updates } = await owner(shop)
  const before = await rowOf(shop, customer)
  const after = await updates({ ...full, name: `  ${full.name} `, address: full.address.replace('\n', '\r\n') })
  expect(after.path).toBe(path)
  expect(after.text).toContain('Your profile is updated')
  expect(await rowOf(shop, customer)).toEqual({ ...before, ...full })
  const again = await browser.get(path)
  for (const [field, value] of Object.entries(full)) expect(valueOf(again, field), field).toBe(value)
  expect(valueOf(again, 'email')).toBe(customer.email)
  expect(again.page.querySelector('#email')?.hasAttribute('readonly')).toBe(true)
  expect((await browser.get('/dashboard')).text).toContain(`Hello, ${full.name}`)
})

test('stores empty, blank or missing optional fields as null', async ({ shop }) => {
  const { customer, browser, updates } = await owner(shop)
  const none = { name: 'Ada', image: null, address: null, phone: null }
  await updates(full)
  await updates({ name: 'Ada', image: '', address: ' \r\n ', phone: '  ' })
  expect(await rowOf(shop, customer)).toMatchObject(none)
  await updates(full)
  await browser.post(path, { name: 'Ada' })
  expect(await rowOf(shop, customer)).toMatchObject(none)
})

test.for([
  ['no name', 'name', '', 'Name is Required'],
  ['a blank name', 'name', '  ', 'Name is Required'],
  ['a long name', 'name', 'x'.repeat(101), 'Name must be at most 100 characters'],
  ['a NUL in the name', 'name', 'a\u0000b', 'Name contains characters that are not allowed'],
  ['a script as image', 'image', 'javascript:alert(1)', 'Image must start with https:// or /'],
  ['an image without https', 'image', 'http://x.example/a.png', 'Image must start with https:// or /'],
  ['an image of any scheme', 'image', '//x.example/a.png', 'Image must start with https:// or /'],
  ['an image that only looks like a path', 'image', '/\\x.example', 'Image must start with https:// or /'],
  ['a long image', 'image', `/${'x'.repeat(2000)}`, 'Image must be at most 2000 characters'],
  ['a long address', 'address', 'x'.repeat(501), 'Address must be at most 500 characters'],
  ['an escape in the address', 'address', 'a\u001bb', 'Address contains characters that are not allowed'],
  ['a short phone', 'phone', '1234567890', 'Phone must be 11 digits'],
  ['letters for a phone', 'phone', 'call me maybe', 'Phone must be 11 digits'],
  ['100 kB of phone', 'phone', '1'.repeat(100_000), 'Phone must be 11 digits'],
] as const)(
  'refuses a profile with %s beside the field and stores nothing',
  async ([, field, wrong, message], { shop }) => {
    const { customer, updates } = await owner(shop)
    const before = await rowOf(shop, customer)
    const response = await updates({ ...full, [field]: wrong })
    expect(response.status).toBe(422)
    expect(response.page.querySelector(`#${field}-error`)?.textContent).toBe(message)
    expect(response.page.querySelectorAll('.field .error')).toHaveLength(1)
    for (const [name, typed] of Object.entries({ ...full, [field]: wrong })) {
      if (typed.trim() && !typed.includes('\u0000')) expect(valueOf(response, name), name).toBe(typed)
    }
    expect(await rowOf(shop, customer)).toEqual(before)
  },
)

test('keeps an emptied field empty while another is invalid', async ({ shop }) => {
  const { updates } = await owner(shop)
  await updates(full)
  const response = await updates({ address: '', phone: '123' })
  expect(response.status).toBe(422)
  expect(valueOf(response, 'address')).toBe('')
})

test('ignores role, id and other fields that are not in the form', async ({ shop }) => {
  const { customer, browser } = await owner(shop)
  const bea = await shop.customer({ name: 'Bea' })
  const [before, others] = [await rowOf(shop, customer), await rowOf(shop, bea)]
  await browser.post(path, { ...full, id: bea.id, userId: bea.id, role: 'admin', emailVerifiedAt: '1', createdAt: '1' })
  expect(await rowOf(shop, customer)).toEqual({ ...before, ...full })
  expect(await rowOf(shop, bea)).toEqual(others)
})

test('escapes HTML in a profile', async ({ shop }) => {
  const { browser, updates } = await owner(shop)
  const name = '"><script>alert(1)</script>'
  const after = await updates({ ...full, name, image: '/art/avatar.svg"onerror="alert(1)' })
  expect(valueOf(after, 'name')).toBe(name)
  expect(after.page.querySelector('.portrait')?.hasAttribute('onerror')).toBe(false)
  await browser.press(await browser.get('/dashboard/addReview'), 'Submit', { description: 'Fine.' })
  const home = await browser.get('/')
  expect(home.page.querySelector('.review figcaption')?.textContent).toBe(name)
  expect(home.html).not.toContain('<script>alert(1)')
})

test('fills in the next order with address and phone', async ({ shop }) => {
  const violin = await shop.sells()
  const { customer, browser, updates } = await owner(shop)
  const bare = await browser.get(`/instruments/${violin}`)
  expect([valueOf(bare, 'customerAddress'), valueOf(bare, 'customerPhone')]).toEqual(['', ''])

  await updates(full)
  const page = await browser.get(`/instruments/${violin}`)
  expect(valueOf(page, 'customerName')).toBe(full.name)
  const visitEmptyShop = await browser.press(page, 'Order Now', {
    orderQuantity: '1',
    customerAddress: '',
    customerPhone: '5',
  })
  expect(visitEmptyShop.status).toBe(422)
  expect([valueOf(visitEmptyShop, 'customerAddress'), valueOf(visitEmptyShop, 'customerPhone')]).toEqual(['', '5'])

  await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', { orderQuantity: '1' })
  const ordered = {
    customerName: full.name,
    customerEmail: customer.email,
    customerAddress: full.address,
    customerPhone: full.phone,
  }
  expect(await shop.ordersOf(customer)).toMatchObject([ordered])
  await updates({ name: 'Ada', address: '2 Bow Lane', phone: '' })
  expect(await shop.ordersOf(customer)).toMatchObject([ordered])
})

test('shows a profile to its owner only', async ({ shop }) => {
  const violin = await shop.sells()
  await (await owner(shop)).updates(full)
  const { browser } = await owner(shop, 'Bea')
  for (const page of [path, `/instruments/${violin}`, '/dashboard', '/']) {
    const { html } = await browser.get(page)
    for (const secret of [full.phone, 'Cremona', 'pictures.example']) expect(html, page).not.toContain(secret)
  }
})

test('links My Profile to the sessions, and redirects anonymous visitors to login', async ({ shop }) => {
  const { browser } = await owner(shop)
  const link = (await browser.get(path)).page.querySelector('a[href="/dashboard/myProfile/sessions"]')
  expect(link?.textContent).toBe('Where you are logged in')
  const login = `/login?redirectTo=${encodeURIComponent(path)}`
  expect((await shop.visitor().get(path)).path).toBe(login)
  expect((await shop.visitor().post(path, full)).path).toBe(login)
})
