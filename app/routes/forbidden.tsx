/** Rendered for cross-site requests: see http/request/csrf.server.ts. */
export function loader() {
  throw new Response(null, { status: 403, statusText: 'Forbidden' })
}

export default function ForbiddenRoute() {
  return null
}
