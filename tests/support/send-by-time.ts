/* A process that writes and sends the emails that come by time, until it is killed: tests/emails-by-time.drill.test.ts starts it. */
import { openDatabase } from '../../app/db/open.server'
import { deliverPendingEmails } from '../../app/store/operations/deliver-email.server'
import { remindOfHolds } from '../../app/store/ordering/remind-of-holds.server'
import { askForReviews } from '../../app/store/reviews/review-emails.server'
import { testDeps } from './fixture'

const [url = '', authToken, sandboxUrl = '', ahead = ''] = process.argv.slice(2)
const deps = {
  ...testDeps({ db: openDatabase({ url, authToken }), origin: 'http://127.0.0.1:8788', sandboxUrl }),
  ...{ reviewDays: 1, now: () => Date.now() + Number(ahead) },
}
process.stdout.write('ready\n')
for (;;) {
  await Promise.all([remindOfHolds(deps), askForReviews(deps)])
  await deliverPendingEmails(deps)
}
