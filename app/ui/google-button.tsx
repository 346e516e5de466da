import { Button } from './button'

/** A form of its own, beside the form with the password. */
export function GoogleButton({ redirectTo }: { redirectTo: string | null }) {
  return (
    <form className="form" method="post" action="/auth/google">
      {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
      <p className="or">or</p>
      <Button variant="quiet">Continue with Google</Button>
    </form>
  )
}
