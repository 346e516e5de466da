/** R31 */
export function ProgressBar({ busy }: { busy: boolean }) {
  return busy ? <div className="progress" role="progressbar" aria-label="Loading" /> : null
}
