import { day } from '../shared/dates'
import { draftTtl } from '../shared/limits'

/*
 * What the shop leaves in a browser, for the cookie policy. tests/pages-starters.test.ts finds every cookie in the source and compares
 * names and times.
 */

export interface StoredInBrowser {
  name: string
  why: string
  /** Milliseconds. Null: until the browser is closed. */
  lasts: number | null
}

const minute = 60_000

/** As they are called without `__Host-` or `__Secure-` before them. */
export const cookies: StoredInBrowser[] = [
  { name: 'session', why: 'keeps you signed in', lasts: 30 * day },
  { name: 'session-user', why: 'gives back a form that you sent after your session had ended', lasts: 31 * day },
  { name: 'draft', why: 'opens such a form again after you have signed in', lasts: draftTtl },
  { name: 'known', why: 'lets your browser sign in while somebody else guesses your password', lasts: 180 * day },
  { name: 'second-factor', why: 'waits for the code of your second step', lasts: 10 * minute },
  { name: 'passkey', why: 'belongs to a sign-in by passkey', lasts: 10 * minute },
  { name: 'handshake', why: 'belongs to a sign-in by Google', lasts: 10 * minute },
  { name: 'google-join', why: 'joins your account to your Google account', lasts: 10 * minute },
  { name: 'submissions', why: 'makes a form that is sent twice count once', lasts: null },
  { name: 'toast', why: 'carries a message to the next page', lasts: minute },
  { name: 'first-page', why: 'marks the first page after signing in', lasts: 10 * minute },
  { name: 'signed-out', why: 'marks the first page after signing out', lasts: 10 * minute },
  { name: 'bank-refusal', why: 'shows what your bank said of a card', lasts: 10 * minute },
]

/** Beside cookies, in browsers that run scripts. */
export const storage: StoredInBrowser[] = [
  { name: 'accessToken', why: 'lets the pages of the shop call it in your name', lasts: 60 * minute },
  { name: 'unsentOrder', why: 'keeps an order that could not be sent over a broken connection', lasts: day },
]
