/* The inline script of a page with times: `Time` and `Day` in the zone of the reader. */
import { localFormat } from '../store/shared/dates'

for (const time of document.querySelectorAll('time')) {
  const isTime = time.textContent.includes(':')
  time.textContent = localFormat()[isTime ? 'time' : 'day'](Date.parse(time.dateTime))
}
