import type { Desk } from './account'
import { authenticationPage } from './authentication-page'
import { hostedPage } from './hosted-page'

type Page = (desk: Desk, request: Request) => Response | Promise<Response>

/** Every page that a browser opens at Stripe itself, by the id in its path. */
const pages: [path: RegExp, page: (desk: Desk, request: Request, id: string) => Promise<Response>][] = [
  [/^\/checkout\/([^/]+)$/, hostedPage],
  [/^\/authenticate\/([^/]+)$/, authenticationPage],
]

export function findPage(pathname: string): Page | null {
  for (const [path, page] of pages) {
    const match = path.exec(pathname)
    if (match) return (desk, request) => page(desk, request, match[1]!)
  }
  return null
}
