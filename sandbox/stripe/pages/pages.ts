import { authenticationPage } from './authentication-page'
import { browserScript, frameModule } from '../browser/browser-script'
import { disputesPage } from './disputes-page'
import { controllerFrame, paymentFrame } from './element-page'
import { hostedPage } from './hosted-page'
import type { RequestContext } from '../core/types'

type Page = (context: RequestContext, request: Request) => Response | Promise<Response>

const pages: [path: RegExp, page: (context: RequestContext, request: Request, id: string) => Promise<Response>][] = [
  [/^\/checkout\/([^/]+)$/, hostedPage],
  [/^\/(disputes)$/, disputesPage],
  [/^\/authenticate\/([^/]+)$/, authenticationPage],
]

const files: Record<string, () => Response> = {
  '/endive/stripe.js': browserScript,
  '/elements/payment': paymentFrame,
  '/elements/controller': controllerFrame,
}

export function findPage(pathname: string): Page | null {
  for (const [path, page] of pages) {
    const match = path.exec(pathname)
    if (match) return (context, request) => page(context, request, match[1]!)
  }
  const module = /^\/elements\/(\w+)\.js$/.exec(pathname)?.[1]
  const file = files[pathname] ?? (module !== undefined && frameModule(module) ? () => frameModule(module)! : null)
  return file && ((_desk, request) => (request.method === 'GET' ? file() : methodNotAllowed()))
}

function methodNotAllowed(): Response {
  return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
}
