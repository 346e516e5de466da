import { publicForms, publicPages } from '../../../pages'
import type { Extra } from '../extra'

const path = '/speculation-rules.json'

/** Public pages only. https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API */
const rules = {
  prefetch: [
    {
      where: {
        href_matches: ['/allInstruments\\?*', ...publicForms, ...Object.keys(publicPages)].map((path) =>
          path.replace(/:\w+/, '*'),
        ),
      },
      eagerness: 'moderate',
    },
  ],
}

const responseHeaders = {
  'content-type': 'application/speculationrules+json',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
}

/** Browsers fetch a public page when a visitor is about to open it. */
export const prefetch: Extra = {
  headers: { 'speculation-rules': `"${path}"` },
  serve: ({ method, url }) =>
    url.replace(/^\w+:\/\/[^/]+/, '') === path
      ? Promise.resolve(new Response(method === 'HEAD' ? null : JSON.stringify(rules), { headers: responseHeaders }))
      : null,
}
