/** What a browser is shown that was sent here by another site (`http/guard.server.ts`). */
export function loader() {
  throw new Response(null, { status: 403, statusText: 'Forbidden' })
}

export default function TurnedAway() {
  return null
}
