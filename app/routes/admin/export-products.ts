import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { requireAdminOrHome, requireOwnPage } from '../../http/auth/require-user.server'
import { csvFile } from '../../http/csv.server'
import { productsCsv, productsHead } from '../../http/product-csv.server'
import { readInBatches } from '../../store/catalog/feeds.server'
import type { Instrument } from '../../store/catalog/instruments'

/** All products on sale, as Import CSV reads them. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  requireOwnPage(request, context, await requireAdminOrHome(request, context))
  const batches = readInBatches(context)
  // An outage must become an error page, not half a file.
  const first = await batches.next()
  async function* parts() {
    yield productsHead + productsCsv(first.value as Instrument[])
    for await (const batch of batches) yield productsCsv(batch)
  }
  return csvFile('products.csv', parts())
}
