const format = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** A moment in words, the same for every reader: `November 24, 2026 at 18:05 UTC`. `at` in milliseconds. */
export function formatTime(at: number): string {
  return `${format.format(at)} UTC`
}

const dayFormat = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** The day of a moment (UTC): `Nov 24, 2026`. `at` in milliseconds. */
export function formatDay(at: number): string {
  return dayFormat.format(at)
}
