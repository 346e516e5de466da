import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { catalogFile, catalogFileStyles } from '../../http/formats/catalog-file.server'
import { hashSource } from '../../http/response/headers.server'
import { searchInstruments } from '../../store/catalog/search/search-instruments.server'

/** More would not fit into the file (docs/limits.md). */
const mostInstruments = 150

/** The whole shop in one file, to read offline and to print. */
export async function loader({ context }: LoaderFunctionArgs) {
  const found = await searchInstruments(context, { page: 1, size: mostInstruments })
  const html = await catalogFile(context, found)
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src ${hashSource(catalogFileStyles)}`,
    // The dictionary (decision 24).
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; ') },
  })
}
