/** Beside a figure that says the same. `share` of the longest bar, from 0 to 1. */
export function Bar({ share }: { share: number }) {
  return (
    <svg className="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.round(share * 1000) / 10} height="4" />
    </svg>
  )
}
