import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { requireAdminOrHome, requireOwnPage, requireRecentSignIn } from '../../http/auth/require-user.server'
import { csvLine } from '../../http/csv/csv.server'
import { logSecurityEvent } from '../../http/log.server'
import { ordersCsv, ordersHead } from '../../http/csv/order-csv.server'
import { productsCsv, productsHead } from '../../http/csv/product-csv.server'
import { streamOf } from '../../http/formats/stream.server'
import { zip, type ZipEntry } from '../../http/formats/zip.server'
import { readInBatches } from '../../store/catalog/feeds.server'
import { pictureFile, readLogoAddress, readPictureAddress, sidesOf } from '../../store/catalog/pictures/pictures'
import { keyOf } from '../../store/catalog/pictures/pictures.server'
import {
  exportCustomers,
  exportPages,
  exportProducts,
  exportReviews,
  listUploads,
  recordExport,
  type ExportedRow,
} from '../../store/privacy/everything.server'
import type { Reader } from '../../store/accounts/rights.server'
import { readOrdersInBatches } from '../../store/orders/search-orders.server'

/** Products, orders, customers, reviews, pages, the logo and uploaded pictures in one archive, written while it is read. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  requireOwnPage(request, context, admin)
  requireRecentSignIn(context, admin, '/dashboard/manageProduct/import')
  // An outage must become an error page, not half a file.
  const uploads = context.pictures ? await listUploads(context) : []
  await recordExport(context, admin)
  logSecurityEvent(context, 'data exported', { user: admin.id })
  return new Response(streamOf(zip(entries(context, admin, uploads), context.now())), {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="shop.zip"',
      'cache-control': 'private, no-store',
    },
  })
}

async function* entries(context: AppLoadContext, admin: Reader, uploads: string[]): AsyncGenerator<ZipEntry, void> {
  yield { name: 'products.csv', content: textsOf(productsHead, readInBatches(context), productsCsv) }
  yield { name: 'all-products.csv', content: tableOf(exportProducts(context)) }
  yield { name: 'orders.csv', content: textsOf(ordersHead, readOrdersInBatches(context, admin, {}), ordersCsv) }
  yield { name: 'customers.csv', content: tableOf(exportCustomers(context)) }
  yield { name: 'reviews.csv', content: tableOf(exportReviews(context)) }
  yield { name: 'pages.csv', content: tableOf(exportPages(context)) }
  const logo = readLogoAddress(context.settings.logo)?.large
  const logoBody = logo && context.pictures && (await context.pictures.find(keyOf(logo)))
  if (logoBody) yield { name: `logo.${logo.split('.').at(-1)}`, content: partsOf(logoBody) }
  for (const img of uploads) {
    const picture = readPictureAddress(img)
    if (!picture) continue
    // The largest of its files.
    const path = pictureFile(picture, sidesOf(picture).at(-1)!, 'webp')
    const body = await context.pictures!.find(keyOf(path))
    if (body) yield { name: path.slice(1), content: partsOf(body) }
  }
}

async function* textsOf<Row>(
  head: string,
  batches: AsyncIterable<Row[]>,
  lines: (rows: Row[]) => string,
): AsyncGenerator<string, void> {
  yield head
  for await (const batch of batches) yield lines(batch)
}

/** Excel reads UTF-8 only after a byte order mark. */
async function* tableOf(batches: AsyncIterable<ExportedRow[]>): AsyncGenerator<string, void> {
  let isFirst = true
  for await (const rows of batches) {
    if (isFirst && rows[0]) yield `\uFEFF${csvLine(Object.keys(rows[0]))}`
    isFirst = false
    yield rows.map((row) => csvLine(Object.values(row))).join('')
  }
}

async function* partsOf(stream: ReadableStream): AsyncGenerator<Uint8Array, void> {
  const reader = (stream as ReadableStream<Uint8Array>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
