import { Button } from '../button'

/** Appears where `passkey.ts`, inline in the page, finds that the browser has passkeys. */
export function PasskeyButton({ redirectTo }: { redirectTo: string | null }) {
  return (
    <form className="form" method="post" action="/login/passkey" data-passkey="" hidden>
      {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
      <input type="hidden" name="credential" />
      <Button variant="quiet">Sign in with a passkey</Button>
      <p role="status" />
    </form>
  )
}
