/** A thin bar at the top of the page while a navigation or a submission is under way (R31). */
export function ProgressBar({ busy }: { busy: boolean }) {
  return busy ? <div className="progress" role="progressbar" aria-label="Loading" /> : null
}
