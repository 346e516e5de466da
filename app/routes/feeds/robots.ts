import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { fileResponse } from '../../http/formats/xml.server'

/** Search results are too many for a crawler; the other paths need an account. */
export function loader({ context: { origin } }: LoaderFunctionArgs) {
  const disallowed = ['/dashboard', '/instruments/', '/auth/', '/compare', '/allInstruments?q=', '/allInstruments?*&q=']
  const rules = disallowed.map((path) => `Disallow: ${path}`)
  const lines = ['User-agent: *', ...rules, '', `Sitemap: ${origin}/sitemap.xml`, '']
  return fileResponse(lines.join('\n'), 'text/plain')
}
