import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { requireAdminOrHome, requireOwnPage } from '../../http/auth/require-user.server'
import { csvFile } from '../../http/csv/csv.server'
import { productsCsv, productsHead } from '../../http/csv/product-csv.server'
import { readInBatches } from '../../store/catalog/feeds.server'
import { maxSelected } from '../../store/shared/limits'
import type { Instrument } from '../../store/catalog/instruments'

/**
 * All products on sale, as Import CSV reads them; with `part`, which is for the name of the file, those of one of the ranges that the page of
 * the import links. Without it `after` is the place in the list from which somebody exports.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  requireOwnPage(request, context, await requireAdminOrHome(request, context))
  const { searchParams } = new URL(request.url)
  const part = readNumber(searchParams.get('part'))
  const [after, through] = part === null ? [] : ['after', 'through'].map((name) => readNumber(searchParams.get(name)))
  const batches = readInBatches(context, { after: after ?? 0, through: through ?? null })
  // Those that were ticked; else all.
  const ids = searchParams.getAll('product').slice(0, maxSelected)
  const chosen = (all: Instrument[]) => (ids.length > 0 ? all.filter(({ id }) => ids.includes(id)) : all)
  // An outage must become an error page, not half a file.
  const first = await batches.next()
  async function* lines() {
    yield productsHead + productsCsv(chosen(first.value as Instrument[]))
    for await (const batch of batches) yield productsCsv(chosen(batch))
  }
  return csvFile(part === null ? 'products.csv' : `products-${part}.csv`, lines())
}

/** A file of another range than the address names would be taken for the whole. */
function readNumber(text: string | null): number | null {
  if (text === null) return null
  if (!/^\d{1,15}$/.test(text)) throw new Response(null, { status: 404 })
  return Number(text)
}
