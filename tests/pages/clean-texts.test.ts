import { eq } from 'drizzle-orm'
import { contactMessages, discounts, instruments, orders, users } from '../../app/db/schema'
import { Program } from '../support/api-client'
import { expect, test } from '../support/shop'

/** As a messenger, a PDF and a phone paste them. */
const unseen = '\u200b\u200e\u202a\u202c\u2060\ufeff'
const [space, hyphen] = ['\u00a0', '\u2011']

test('fields may have signs that nobody sees, and look-alikes of plain ones, from register to the shipment', async ({
  shop,
}) => {
  const { db } = shop.deps
  const viola = await shop.sells({ name: 'Viola', price: 100_00 })
  await db.insert(discounts).values({ code: 'MAY-10', percent: 10, minTotalCents: 0, fromAt: 0, createdAt: 0 })
  const visitor = shop.visitor()
  const contact = { name: `${unseen}Nora${space}Berg`, email: `nora@web${hyphen}shop.example${unseen}`, message: 'Hi' }
  const sent = await visitor.press(await visitor.get('/home'), 'Send', contact)
  expect(sent.status).toBe(200)
  expect(await db.select().from(contactMessages)).toMatchObject([{ name: 'Nora Berg', email: 'nora@web-shop.example' }])

  const joiner = {
    name: `Kathleen${unseen}${space}O\u2019Byrne`,
    email: `kate@t${hyphen}online.de`,
    password: 'lütfen viola',
  }
  const registered = await visitor.press(await visitor.get('/register'), 'Register', joiner)
  expect(registered.path).toBe('/dashboard')
  const [user] = await db.select().from(users).where(eq(users.email, 'kate@t-online.de'))
  expect(user!.name).toBe('Kathleen O\u2019Byrne')
  const again = shop.visitor()
  const login = { email: `${unseen}KATE@t-online.de`, password: joiner.password.normalize('NFD') }
  expect((await again.press(await again.get('/login'), 'Login', login)).path).toBe('/dashboard')

  const purchase = await again.get(`/instruments/${viola}`)
  const ordered = await again.press(purchase, 'Order Now', {
    orderQuantity: `2${unseen}`,
    customerAddress: `1${space}Bow\u00adLane`,
    customerPhone: `${unseen}+49${space}30${hyphen}901820\u201300`,
    vatNumber: `DE${space}123\u2013456${unseen}`,
    code: `may\u201310${unseen}`,
  })
  expect(ordered.path).toContain('/payment/')
  expect(await db.select().from(orders)).toMatchObject([
    {
      ...{ quantity: 2, customerAddress: '1 BowLane', customerPhone: '+49 30-901820-00' },
      ...{ vatNumber: 'DE 123-456', discountCode: 'MAY-10', totalCents: 180_00 },
    },
  ])
})

test('so may JSON, addresses and files; names of before are found as they are written', async ({ shop }) => {
  const { db } = shop.deps
  await shop.sells({ id: 'lute', name: `Lute${space}in${space}G` })
  await shop.sells({ id: 'horn', name: 'Horn in F' })
  const ada = await shop.customer({ name: 'Ada', email: 'ada@example.com' })
  const browser = await shop.visitor().signIn(ada)
  const token = await browser.fetch(`/user/${unseen}${ada.email}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', origin: shop.deps.origin },
    body: JSON.stringify({ email: `${ada.email}${unseen}` }),
  })
  const program = new Program(shop.visitor(), (await token.json<{ token: string }>()).token)
  const delivery = { customerAddress: '1 Bow Lane', customerPhone: `0372${hyphen}5550199`, orderQuantity: 1 }
  for (const productName of [`Lute${space}in${space}G`, `Horn${space}in${unseen} F`]) {
    const order = await program.call('POST', '/order', { ...delivery, productName, customerName: `${unseen}Ada` })
    expect([productName, order.status]).toEqual([productName, 200])
  }
  expect((await program.call('POST', '/order', { ...delivery, productName: 'Lute in G \ud83c' })).status).toBe(400)
  const found = await shop.visitor().get(`/allInstruments?q=${encodeURIComponent(`horn${unseen}`)}`)
  expect([found.text.includes('Horn in F'), found.text.includes('Lute')]).toEqual([true, false])

  const admin = await shop.signedIn(await shop.admin())
  const head =
    '\ufeffid,version,name,family,brand,img,description,price,minQuantity,availableQuantity,stockChange,reason'
  const row = `,,"${unseen}Tenor${hyphen}Horn\u2028",brass,,/h.svg,"A${space}horn",12.50,2,5,,`
  const file = `${head}\r\n${row}`
  const form = (fields: Record<string, string | File>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.set(name, value)
    return data
  }
  const path = '/dashboard/manageProduct/import'
  const checked = await admin.post(path, form({ file: new File([file], 'products.csv'), intent: 'check' }))
  expect(checked.text).toContain('1 new')
  const applied = await admin.post(path, form({ checked: file, name: 'products.csv', intent: 'apply' }))
  expect(applied.text).toContain('Imported: 1 new')
  expect(await db.select().from(instruments).where(eq(instruments.name, 'Tenor-Horn'))).toMatchObject([
    { description: 'A horn', minQuantity: 2 },
  ])
})
