import { language } from '../../i18n/language'
import { dayNumber, formatDayNumber } from '../shared/dates'

/** `5 to 8 working days`, `3-5 days`, `2 weeks` */
const span = /^(?:about )?(\d{1,2})(?: ?(?:to|-|–) ?(\d{1,2}))? (working|business)? ?(day|week)s?$/i

/** The days on which it should arrive, such as `4 to 10 Dec 2026`; null where the shopkeeper’s words are no number of days. */
export function expectedDelivery(deliveryTime: string, from: number): string | null {
  const [, first, last = first, working, unit] = span.exec(deliveryTime.trim()) ?? []
  if (first === undefined) return null
  const step = /week/i.test(unit!) ? 7 : 1
  const dayAfter = (count: string) => addDays(dayNumber(from), Number(count) * step, working !== undefined)
  const [begin, end] = [dayAfter(first), dayAfter(last!)].map(formatDayNumber)
  if (begin === end) return begin!
  return `${withoutSame(begin!, end!)} ${language() === 'de' ? 'bis' : 'to'} ${end}`
}

/** Number 0 was a Thursday. */
function addDays(number: number, count: number, working: boolean): number {
  if (!working) return number + count
  let at = number
  for (let left = count; left > 0;) if (((++at + 4) % 7) % 6 !== 0) left--
  return at
}

/** What both days have in common is said once, with the second. */
function withoutSame(begin: string, end: string): string {
  const [words, others] = [begin.split(' '), end.split(' ')]
  while (words.length > 1 && words.at(-1) === others.at(-1)) {
    words.pop()
    others.pop()
  }
  return words.join(' ')
}
