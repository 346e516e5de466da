import routes, { type Path } from '../../app/routes'

interface Route {
  file: string
  path?: string | undefined
  children?: Route[] | undefined
}

/** Every path, with the file of its route. */
export const paths = pathsOf(routes)

function pathsOf(all: Route[]): { path: string; file: string }[] {
  return all.flatMap(({ path, file, children }) => (children ? pathsOf(children) : [{ path: `/${path ?? ''}`, file }]))
}

type WithParameter = Extract<Path, `${string}:${string}`>

/** An address in the demo shop, where it is not the path itself. Null: what a test visits has to be made first. */
const examples: Record<WithParameter, string | null> & Partial<Record<Path, string | null>> = {
  // The same as `/`.
  '/home': null,
  '/allInstruments': '/allInstruments?q=flutte&max=x',
  '/catalog/:slug': '/catalog/oboe-conservatoire-system',
  '/compare': '/compare?ids=violin-4-4,violin-3-4&ids=oboe',
  '/instruments/:id': '/instruments/oboe',
  '/pages/:slug': null,
  '/pictures/:picture/:file': null,
  '/login/code': null,
  '/verify-email': '/verify-email?token=x',
  '/unsubscribe': '/unsubscribe?token=x',
  '/reset-password': '/reset-password?token=x',
  '/forbidden': null,
  '/dashboard/wishes': '/dashboard/wishes?instrument=oboe',
  '/dashboard/quotes/new': '/dashboard/quotes/new?instrument=oboe',
  '/dashboard/quotes/:id': null,
  '/dashboard/myOrders/:id': null,
  '/dashboard/myOrders/payment/:id': null,
  '/dashboard/myOrders/receipt/:id': null,
  '/dashboard/myOrders/invoice/:id/:creditNote?': null,
  '/dashboard/makeAdmin': '/dashboard/makeAdmin?q=ada',
  '/dashboard/makeAdmin/:id': '/dashboard/makeAdmin/demo-ada',
  '/dashboard/manageProduct/:id': '/dashboard/manageProduct/oboe',
  '/dashboard/manageProduct/:id/history': '/dashboard/manageProduct/oboe/history',
  '/dashboard/manageProduct/several': '/dashboard/manageProduct/several?product=oboe&product=flute-c',
  '/dashboard/manageOrders/:id': null,
  '/dashboard/manageOrders/:id/refund': null,
  '/dashboard/manageOrders/:id/packingSlip': null,
  '/dashboard/settings/families/:id': '/dashboard/settings/families/cases',
  '/dashboard/settings/emails/:id': '/dashboard/settings/emails/order-paid',
  '/dashboard/settings/pages/:id': '/dashboard/settings/pages/new?starter=privacy',
  '/dashboard/manageQuotes/:id': null,
}

type Audience = 'anybody' | 'customer' | 'admin'

function audienceOf(file: string): Audience {
  if (file.startsWith('routes/admin/')) return 'admin'
  return /^routes\/(account\/|dashboard\/|instrument\.|auth\/confirm\.)/.test(file) ? 'customer' : 'anybody'
}

/** Every page that the demo shop has without more ado, for who may see it. */
export const pages: { address: string; as: Audience }[] = [
  ...paths.flatMap(({ path, file }) => {
    const address = path === '/*' ? '/nowhere' : path in examples ? examples[path as Path] : path
    return file.endsWith('.tsx') && address ? [{ address, as: audienceOf(file) }] : []
  }),
  { address: '/catalog.html', as: 'anybody' },
  { address: '/dashboard/manageProduct?delete=oboe', as: 'admin' },
  { address: '/dashboard/makeAdmin?make=demo-ada', as: 'admin' },
  { address: '/dashboard/manageOrders?status=cancelled', as: 'admin' },
]

const addressesFor = (audience: Audience) => pages.flatMap(({ address, as }) => (as === audience ? [address] : []))

/** Those without parameters, which any shop has. */
export const plainPagesFor = (audience: Audience) =>
  addressesFor(audience).filter((address) => paths.some(({ path }) => path === address))

export const openPages = addressesFor('anybody')
export const customerPages = addressesFor('customer')
export const adminPages = addressesFor('admin')

/** What a shopkeeper has open every day: `npm test` looks at these, `npm run test:all` at all of `adminPages`. */
export const dailyPages = [
  '/dashboard/makeAdmin?q=ada',
  '/dashboard/manageOrders',
  '/dashboard/manageProduct',
  '/dashboard/manageProduct?delete=oboe',
  '/dashboard/manageProduct/oboe',
  '/dashboard/messages',
  '/dashboard/settings',
  '/dashboard/reports',
]
