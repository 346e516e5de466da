/* For an admin who has lost phone and recovery codes: the way back in. */
import { resetSecondFactor } from '../app/store/accounts/second-factor/second-factor.server'
import { databaseOf, readOptions, sayFailure } from '../dev/environment'
import { openShop, scriptDeps } from '../dev/script-deps'

const email = process.argv[2]?.trim().toLowerCase()
const database = databaseOf(process.env)

if (!email) {
  console.error('Usage: npm run task -- remove-second-factor EMAIL')
  process.exit(2)
}
try {
  const origin = process.env.SHOP_ORIGIN || `http://127.0.0.1:${readOptions(process.env).port}`
  const deps = { ...scriptDeps(await openShop(database)), origin }
  const wasOn = await resetSecondFactor(deps, 'remove-second-factor', email)
  const nothing = wasOn === null ? `Nobody is registered as ${email}.` : `${email} has no second factor.`
  console.log(wasOn ? `${email} can log in without a code. The next cron trigger sends an email about it.` : nothing)
  process.exitCode = wasOn === null ? 1 : 0
} catch (error) {
  sayFailure(error, database)
}
