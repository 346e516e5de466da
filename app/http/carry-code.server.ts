import { t } from '../i18n/language'
import { codeOfLink } from '../store/discounts/discounts'
import { element } from './formats/xml.server'

type Serve = (request: Request) => Response | Promise<Response>

/**
 * A visitor who came by a link with a discount code (`?code=`) keeps it up to the purchase page, without a cookie: the links of public pages
 * carry it. They are served as anybody gets them, so the page cache has one copy whatever the code is, and the code is written into that (decision 59).
 */
export function carryCode(request: Request, serve: Serve): Response | Promise<Response> {
  const code = codeIn(request)
  return code === '' ? serve(request) : serveWith(code, request, serve)
}

/** Empty: there is none, or the page reads it itself. Nearly all requests end at the first line. */
function codeIn({ method, url }: Request): string {
  if (method !== 'GET' || !/[?&]code=/.test(url)) return ''
  const { pathname, searchParams } = new URL(url)
  return publicPages.test(pathname) ? codeOfLink(searchParams) : ''
}

const publicPages = /^\/(home|allInstruments|reviews|(catalog|pages)\/[^/]+)?\/*$/i
/** What leads on to a purchase, in either language. */
const leadsOn = /^(\/de)?\/(?:home|allInstruments|(?:catalog|instruments)\/[^/?#]+)?(?=$|[?#])/
/** In the header. They lead back to where one is. */
const waysIn = /^(\/de)?\/(login|register)$/

/** They are about the copy that is the same for everybody, or for its encoding. */
const headersOfCopy = ['accept-encoding', 'if-none-match']

async function serveWith(code: string, request: Request, serve: Serve): Promise<Response> {
  const url = new URL(request.url)
  url.searchParams.delete('code')
  const headers = new Headers(request.headers)
  for (const name of headersOfCopy) headers.delete(name)
  const page = await serve(new Request(url, { headers, signal: request.signal }))
  const response = new Response(page.body, page)
  const location = response.headers.get('location')
  if (location !== null) response.headers.set('location', withCode(location, code, '&'))
  response.headers.delete('etag')
  response.headers.set('cache-control', 'private, no-store')
  return response.headers.get('content-type')?.startsWith('text/html') ? write(code, url, response) : response
}

function withCode(path: string, code: string, and: string): string {
  return leadsOn.test(path) ? addCode(path, code, and) : path
}

function addCode(path: string, code: string, and: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(path) ?? []
  return `${address}${address.includes('?') ? and : '?'}code=${encodeURIComponent(code)}${fragment}`
}

function write(code: string, here: URL, page: Response): Response {
  const { origin, pathname, search } = here
  const notice = element('p', t('Your code {code} is filled in when you order.', { code }), { class: 'notice' })
  const field = element('input', '', { type: 'hidden', name: 'code', value: code })
  // Without a prefix, as all that comes back from the login.
  const back = new URLSearchParams({ redirectTo: addCode(pathname + search, code, '&') })
  return new HTMLRewriter()
    .on('main', { element: (main) => void main.prepend(notice, { html: true }) })
    .on('a[href]', {
      element(link) {
        const href = link.getAttribute('href')!
        // The link to the other language names the shop.
        const path = href.startsWith(`${origin}/`) ? href.slice(origin.length) : href
        link.setAttribute('href', waysIn.test(path) ? `${path}?${back}` : withCode(path, code, '&amp;'))
      },
    })
    .on('form[action]:not([method="post"])', {
      element(form) {
        if (leadsOn.test(form.getAttribute('action')!)) form.prepend(field, { html: true })
      },
    })
    .transform(page)
}
