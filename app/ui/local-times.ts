/* The inline script of a page with times: `Time` and `Day` in the zone of the reader. */
import { formatLocalDay, formatLocalTime } from '../store/shared/dates'

for (const time of document.querySelectorAll('time')) {
  const format = time.textContent.includes(':') ? formatLocalTime : formatLocalDay
  time.textContent = format(Date.parse(time.dateTime))
}
