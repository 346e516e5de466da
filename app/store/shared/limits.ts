/* Who may do what how often. docs/limits.md gives the reason of each, and what the person reads; a test compares the two. */

const minute = 60 * 1000
/** Milliseconds. */
export const quarterHour = 15 * minute
const hour = 60 * minute
const day = 24 * hour

/** At most `max` in each window of so many milliseconds. */
export const limits = {
  failedSignInsOfAccountFromIp: { max: 10, window: quarterHour },
  failedSignInsFromIp: { max: 50, window: quarterHour },
  failedSignInsOfAccountFromNetwork: { max: 20, window: quarterHour },
  failedSignInsFromNetwork: { max: 200, window: quarterHour },
  failedSignInsOfAccount: { max: 100, window: quarterHour },
  failedSignInsOfDevice: { max: 20, window: quarterHour },
  wrongCodesOfAccountFromIp: { max: 10, window: quarterHour },
  wrongCodesOfAccount: { max: 30, window: quarterHour },
  wrongCodesOfAccountADay: { max: 50, window: day },
  wrongCodesBeforeEmail: { max: 9, window: day },
  failedPasskeysFromIp: { max: 50, window: quarterHour },
  signInsFromIp: { max: 600, window: quarterHour },
  passwordResetsFromIp: { max: 20, window: quarterHour },
  passwordResetsFromNetwork: { max: 60, window: quarterHour },
  verificationEmailsOfAccount: { max: 3, window: quarterHour },
  registrationsFromIp: { max: 300, window: hour },
  registrationsFromNetwork: { max: 1000, window: hour },
  contactMessagesFromIp: { max: 10, window: quarterHour },
  contactCopiesFromIp: { max: 3, window: quarterHour },
  contactCopiesToEmail: { max: 3, window: quarterHour },
  profileUpdatesOfAccount: { max: 60, window: quarterHour },
  reviewsOfAccount: { max: 5, window: day },
  receiptsAgainOfAccount: { max: 5, window: quarterHour },
  testEmailsOfAccount: { max: 20, window: quarterHour },
  draftsFromIp: { max: 60, window: quarterHour },
  unknownCodesOfAccount: { max: 10, window: quarterHour },
  unknownCodesFromIp: { max: 50, window: quarterHour },
  apiKeyCalls: { max: 600, window: minute },
}

/** Milliseconds; the cron trigger deletes or empties what is older. */
export const retention = {
  /** Recipients and subjects of sent emails. */
  sentEmails: 90 * day,
  /** After the last try. */
  undeliverableEmails: 90 * day,
  contactMessages: 365 * day,
  webhookDeliveries: 14 * day,
  /** How long a number that was used for something is refused for something else. */
  submissions: 30 * day,
}

/** This month included: how long words that were looked for and not found are kept. */
export const searchMonths = 12

/** Of an email: then it is given up. */
export const maxAttempts = 110

/** Milliseconds: the cron trigger runs every 5 minutes, and a dead run holds its lease for 15. */
export const longestSilence = 30 * minute

/** What a customer may hold unpaid, and place in a quarter of an hour. `holdMs` shortens the shop's own. */
export const orderLimits = {
  verified: { unpaidOrders: 100, unpaidPieces: 5000, ordersPerQuarterHour: 500, holdMs: null },
  unverified: { unpaidOrders: 3, unpaidPieces: 100, ordersPerQuarterHour: 10, holdMs: 45 * minute },
}

/** An unverified customer may always hold so many pieces of an instrument, and more only up to this share of it. */
export const unverifiedShare = { pieces: 10, share: 0.5 }

/**
 * Milliseconds before the end of a hold at which its customer gets an email: a day, so that it is read on a day when the order can still be
 * paid. Of a hold shorter than three days a third: an email right after the order's own would be noise.
 */
export const holdReminder = { before: day, share: 3 }

/** Milliseconds. How long an order may wait for its turn, and how far the review emails of one customer are apart. */
export const reviewEmails = { window: 2 * day, apart: 30 * day, maxDays: 90 }

/** Emails that one run of the cron trigger writes of each kind: as many as one delivery sends, or they would hold up those about money. */
export const maxEmailsPerRun = 20

/** For all unverified customers with one IP address together. */
export const unverifiedIpLimits = { unpaidOrders: 250, unpaidPieces: 400, ordersPerHour: 500 }

/** Reset links of an account that work at the same time: further requests send none. */
export const maxResetLinks = 3

/** Of one user; a further sign-in ends the one that was used least recently. */
export const maxSessions = 20
/** Of one session; a further exchange ends the oldest. */
export const maxAccessTokens = 20
/** Of the shop. */
export const maxApiKeys = 50
export const maxWebhookEndpoints = 10
/** That count now or later. */
export const maxDiscounts = 200
/** That one code names. */
export const maxDiscountInstruments = 50
/** Of one user. */
export const maxPasskeys = 20
/** Forms of one user that wait for a login; a further one replaces the oldest. */
export const maxDrafts = 3
/** Of one draft, in bytes. */
export const maxDraftBytes = 32 * 1024
/** Milliseconds. */
export const draftTtl = 2 * quarterHour
/** Payments that Stripe is asked to open for one order. */
export const maxPaymentAttempts = 20

/** Back-in-stock emails that one user may wait for. */
export const maxWishes = 50

/** Requests for a price of one customer that wait for an answer. */
export const maxOpenQuotes = 10

/** A trigger of `families` has the same number: they go with each request to the database. */
export const maxFamilies = 20

/** Of a CSV file of products. */
export const maxImportLines = 5000
export const maxImportBytes = 4 * 1024 * 1024

/** Of an uploaded picture: bytes, pixels of each side, and in all. */
export const maxPictureBytes = 10 * 1024 * 1024
export const maxPictureSide = 12_000
export const maxPicturePixels = 40_000_000
/** Of one instrument; and the bytes of those that one form uploads. */
export const maxPictures = 8
export const maxPictureFormBytes = 20 * 1024 * 1024

/** Pictures of other shops that one press copies. */
export const maxCopiedPictures = 20

/** Rows of a list that are ticked at once: those of a page. */
export const maxSelected = 50
