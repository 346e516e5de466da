import { ButtonLink } from '../button'

/** Below the heading of a page that only the settings lead to. */
export function BackToSettings() {
  return (
    <p className="actions">
      <ButtonLink variant="quiet" href="/dashboard/settings">
        Back to the settings
      </ButtonLink>
    </p>
  )
}
