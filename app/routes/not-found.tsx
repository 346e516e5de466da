import type { MetaFunction } from '@remix-run/cloudflare'

export const meta: MetaFunction = () => [{ title: 'Page not found · Cadenza' }]

export function loader() {
  throw new Response(null, { status: 404, statusText: 'Not Found' })
}

export function action() {
  throw new Response(null, { status: 404, statusText: 'Not Found' })
}

export default function NotFoundRoute() {
  return null
}
