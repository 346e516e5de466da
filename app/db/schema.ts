import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
  type AnySQLiteColumn,
} from 'drizzle-orm/sqlite-core'

/*
 * Every table is STRICT (scripts/migration.ts adds the word that drizzle-kit lacks). Times are milliseconds since 1970,
 * amounts are US cents. Rules that span rows (stock, states, the audit log) are triggers: schema.sql.
 */

const minCents = sql.raw('50')
const maxCents = sql.raw('99999999')
const maxQuantity = sql.raw('1000000')

export const users = sqliteTable(
  'users',
  {
    /** The rowid in `user_search`. */
    searchId: integer('search_id').primaryKey(),
    id: text('id').notNull().unique(),
    email: text('email').notNull().unique(),
    name: text('name').notNull(),
    role: text('role', { enum: ['customer', 'admin'] })
      .notNull()
      .default('customer'),
    emailVerifiedAt: integer('email_verified_at'),
    /** Of a colleague who is no admin (R53). */
    staffRole: text('staff_role', { enum: ['packer', 'bookkeeper'] }),
    image: text('image'),
    address: text('address'),
    phone: text('phone'),
    createdAt: integer('created_at').notNull(),
    /** For good: triggers refuse orders and a name from then on, and commands everything else. */
    closedAt: integer('closed_at'),
    /** Of a closed account: when the oldest order that still has its name and address was paid. Null: none has. */
    keptSince: integer('kept_since'),
    /** When an email may ask for a review again; null: never, which its reader has chosen. */
    reviewEmailAfter: integer('review_email_after').default(0),
  },
  (t) => [
    check('users_role', sql`${t.role} IN ('customer', 'admin')`),
    check('users_staff_role', sql`${t.staffRole} IN ('packer', 'bookkeeper')`),
    check('users_one_role', sql`${t.staffRole} IS NULL OR (${t.role} = 'customer' AND ${t.closedAt} IS NULL)`),
    check('users_email', sql`${t.email} = lower(trim(${t.email})) AND length(${t.email}) BETWEEN 6 AND 254`),
    check('users_name', sql`length(${t.name}) BETWEEN 1 AND 100`),
    index('users_by_age').on(t.createdAt, t.id),
    index('users_admins')
      .on(t.role)
      .where(sql`${t.role} = 'admin'`),
    index('users_to_erase')
      .on(t.keptSince)
      .where(sql`${t.keptSince} IS NOT NULL`),
  ],
)

export const passwords = sqliteTable('passwords', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  hash: text('hash').notNull(),
  changedAt: integer('changed_at').notNull(),
})

/** Off until `confirmed_at`: then a login needs a code of an authenticator app, or a recovery code. */
export const secondFactors = sqliteTable('second_factors', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted. */
  secret: text('secret').notNull(),
  createdAt: integer('created_at').notNull(),
  confirmedAt: integer('confirmed_at'),
  /** The newest time step whose code was used: a code works once. */
  lastStep: integer('last_step').notNull().default(0),
})

/** A used one is deleted. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => secondFactors.userId, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
)

/** Sign-ins without a password (decision 38). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    /** The credential id, in base64url. */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Random; the same for all passkeys of a user. */
    userHandle: text('user_handle').notNull(),
    /** COSE in base64url. */
    publicKey: text('public_key').notNull(),
    signCount: integer('sign_count').notNull(),
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    usedAt: integer('used_at'),
  },
  (t) => [
    check('passkeys_name', sql`length(${t.name}) BETWEEN 1 AND 50`),
    index('passkeys_by_user').on(t.userId, t.createdAt),
  ],
)

/** What admins note about a customer, for each other (decision 52). Closing the account deletes it. */
export const customerNotes = sqliteTable(
  'customer_notes',
  {
    customerId: text('customer_id')
      .primaryKey()
      .references(() => users.id),
    note: text('note').notNull(),
    writtenBy: text('written_by').notNull(),
    writtenAt: integer('written_at').notNull(),
  },
  (t) => [check('customer_notes_length', sql`length(${t.note}) BETWEEN 1 AND 2000`)],
)

/** Forms that arrived after their session had ended (decision 40). The key is in the browser only. */
export const drafts = sqliteTable(
  'drafts',
  {
    /** A hash of the key and the form's path. */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Encrypted. */
    content: text('content').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [check('drafts_content', sql`length(${t.content}) <= 50000`)],
)

export const identities = sqliteTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] }), index('identities_by_user').on(t.userId)],
)

export const sessions = sqliteTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    userAgent: text('user_agent').notNull().default(''),
    createdAt: integer('created_at').notNull(),
    seenAt: integer('seen_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('sessions_by_user').on(t.userId, t.seenAt)],
)

export const accessTokens = sqliteTable(
  'access_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    sessionHash: text('session_hash')
      .notNull()
      .references(() => sessions.tokenHash, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('access_tokens_by_session').on(t.sessionHash, t.createdAt)],
)

/** Keys of programs (decision 49). An admin's keys end with the role; a revoked one is deleted. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    /** Part of the key, so that it is found without its secret. */
    id: text('id').primaryKey(),
    secretHash: text('secret_hash').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Names of `scopes`, with spaces between them. */
    scopes: text('scopes').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
    /** In the window of the rate limit that ends then. */
    calls: integer('calls').notNull().default(0),
    windowUntil: integer('window_until').notNull().default(0),
  },
  (t) => [check('api_keys_name', sql`length(${t.name}) BETWEEN 1 AND 60`)],
)

/** Where events of the shop are posted to. */
export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    id: text('id').primaryKey(),
    url: text('url').notNull(),
    /** Encrypted: it signs each delivery. */
    secret: text('secret').notNull(),
    /** Names of `webhookTypes`, with a space before, between and after them. */
    events: text('events').notNull(),
    /** `new` until it has answered a test event. Those that are `on` get events; triggers hold the deliveries of the others. */
    state: text('state', { enum: ['new', 'on', 'off'] })
      .notNull()
      .default('new'),
    /** Why it is off. */
    reason: text('reason').notNull().default(''),
    createdAt: integer('created_at').notNull(),
    /** Since then no delivery has arrived. */
    failingSince: integer('failing_since'),
  },
  (t) => [
    check('webhook_endpoints_state', sql`${t.state} IN ('new', 'on', 'off')`),
    check('webhook_endpoints_url', sql`length(${t.url}) BETWEEN 1 AND 500`),
  ],
)

/** The outbox of events, one row for each endpoint, by a reader of the log. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    /** The header webhook-id: the same at each try. */
    id: text('id').notNull(),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    /** What it is about: the events of one subject arrive in their order. */
    subject: text('subject').notNull(),
    payload: text('payload').notNull(),
    createdAt: integer('created_at').notNull(),
    state: text('state', { enum: ['waiting', 'held', 'delivered', 'failed'] })
      .notNull()
      .default('waiting'),
    dueAt: integer('due_at').notNull().default(0),
    /** Nobody else sends it until then. */
    leaseUntil: integer('lease_until').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    firstTriedAt: integer('first_tried_at'),
    triedAt: integer('tried_at'),
    /** Of the last try: the HTTP status (null: no answer), the first 200 characters of the answer, milliseconds. */
    status: integer('status'),
    answer: text('answer').notNull().default(''),
    durationMs: integer('duration_ms'),
  },
  (t) => [
    check('webhook_deliveries_state', sql`${t.state} IN ('waiting', 'held', 'delivered', 'failed')`),
    uniqueIndex('webhook_deliveries_once').on(t.endpointId, t.id),
    index('webhook_deliveries_waiting')
      .on(t.dueAt, t.sequence)
      .where(sql`${t.state} = 'waiting'`),
    index('webhook_deliveries_in_order')
      .on(t.endpointId, t.subject, t.sequence)
      .where(sql`${t.state} = 'waiting'`),
  ],
)

export const emailTokens = sqliteTable(
  'email_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['verify-email', 'reset-password', 'sign-in'] }).notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
  },
  (t) => [
    check('mail_tokens_purpose', sql`${t.purpose} IN ('verify-email', 'reset-password', 'sign-in')`),
    index('email_tokens_by_user').on(t.userId, t.purpose),
  ],
)

export const rateLimits = sqliteTable(
  'rate_limits',
  {
    /** Such as `sign-in:address:203.0.113.9`. */
    key: text('key').notNull(),
    until: integer('until').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.key, t.until] })],
)

/** What calls with an `Idempotency-Key` and forms with a submission id have stood for (R65). */
export const submissions = sqliteTable(
  'submissions',
  {
    /** A user, or `message` for who writes to the shop. */
    actor: text('actor').notNull(),
    key: text('key').notNull(),
    /** A hash of everything that was sent. Of an order, whose row has the rest: the code that saved nothing. */
    content: text('content').notNull(),
    at: integer('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.actor, t.key] })],
)

/** From this quantity, each piece costs so many cents. */
export interface PriceBreak {
  from: number
  priceCents: number
}

/** Name and value of a line of the specification. */
export type Attribute = [name: string, value: string]

/** A picture beside `img`. `alt` may be empty. */
export interface Picture {
  img: string
  alt: string
}

/** The instruments' families (R33), in the order of the shop (decision 51). At most `maxFamilies`, and one that is shown. */
export const families = sqliteTable(
  'families',
  {
    /** In URLs, JSON and CSV. */
    slug: text('slug').primaryKey(),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    /** 1: not in menus, filters and the sitemap. Its instruments stay on sale. */
    hidden: integer('hidden').notNull().default(0),
    /** 1: cases, which are shown beside the instruments that they fit. */
    cases: integer('cases').notNull().default(0),
    version: integer('version').notNull().default(1),
    /** The last addresses that it had before, newest first: they lead to its own. */
    former: text('former', { mode: 'json' }).$type<string[]>().notNull().default([]),
  },
  (t) => [
    check(
      'families_slug',
      sql`length(${t.slug}) BETWEEN 1 AND 40 AND ${t.slug} GLOB '[a-z0-9]*' AND ${t.slug} NOT GLOB '*[^a-z0-9-]*'`,
    ),
    check('families_name', sql`length(${t.name}) BETWEEN 1 AND 30`),
    check('families_hidden', sql`${t.hidden} IN (0, 1)`),
    check('families_cases', sql`${t.cases} IN (0, 1)`),
    uniqueIndex('families_once').on(sql`${t.name} COLLATE NOCASE`),
  ],
)

/** SQL: a price break is from more pieces and cheaper than the one before it. */
function fallsAt(breaks: AnySQLiteColumn, nth: number) {
  const of = (n: number, key: string) => sql`${breaks} ->> ${sql.raw(`'$[${n}].${key}'`)}`
  return sql`(json_array_length(${breaks}) <= ${sql.raw(String(nth))} OR coalesce(${of(nth, 'from')} > ${of(nth - 1, 'from')} AND ${of(nth, 'priceCents')} BETWEEN 1 AND ${of(nth - 1, 'priceCents')} - 1, 0))`
}

export const instruments = sqliteTable(
  'instruments',
  {
    /** The rowid in `instrument_search`, and in the layers of `instrument_words`. */
    searchId: integer('search_id').primaryKey(),
    id: text('id').notNull().unique(),
    name: text('name').notNull(),
    img: text('img').notNull(),
    description: text('description').notNull().default(''),
    brand: text('brand'),
    level: text('level', { enum: ['beginner', 'intermediate', 'professional'] }),
    /** In years: `9 to 11`, or `12+`. */
    ages: text('ages'),
    priceCents: integer('price_cents').notNull(),
    minQuantity: integer('min_quantity').notNull(),
    /** By rising quantity and falling price. JSON, so that one row has all prices of an instrument. */
    priceBreaks: text('price_breaks', { mode: 'json' }).$type<PriceBreak[]>().notNull().default([]),
    /** Changed only by the trigger audit_log_moves_stock. */
    availableQuantity: integer('available_quantity').notNull().default(0),
    /** Goes up when a shopkeeper changes the details: an optimistic lock. */
    version: integer('version').notNull().default(1),
    /** The path of its page, never changed. */
    slug: text('slug')
      .notNull()
      .default(sql`(lower(hex(randomblob(8))))`)
      .unique('instruments_slug'),
    listedAt: integer('listed_at').notNull(),
    /** Off sale since. Its row stays: orders need it (R12). */
    removedAt: integer('removed_at'),
    /** 1: off sale until it is shown again. 0 with `removed_at`: deleted for good. */
    hidden: integer('hidden').notNull().default(0),
    /** The shop gets an email when the stock falls to it. Null: no email. */
    lowStock: integer('low_stock_threshold'),
    /** The specification, in its order. JSON, so that one row has all of it. */
    attributes: text('attributes', { mode: 'json' }).$type<Attribute[]>().notNull().default([]),
    /** What `img` shows, for those who cannot see it. Empty: the name stands in. */
    alt: text('alt').notNull().default(''),
    /** After `img`, in their order. JSON, so that one row has all of them. */
    pictures: text('pictures', { mode: 'json' }).$type<Picture[]>().notNull().default([]),
    family: text('family_slug').references(() => families.slug, { onUpdate: 'cascade' }),
    /** What a piece costs instead, from a time to a time; null: nothing is planned. It counts where it is below the price (decision 54). */
    saleCents: integer('sale_cents'),
    saleFromAt: integer('sale_from_at'),
    saleUntilAt: integer('sale_until_at'),
    /** The lowest price of the 30 days before the sale, which the law wants shown beside it. Null: there was none. */
    priorCents: integer('prior_cents'),
    /** The folded name, if it has more than ASCII letters: lists by name have it (decision 22). */
    nameKey: text('name_key'),
  },
  (t) => [
    check('instruments_name', sql`length(${t.name}) BETWEEN 1 AND 120`),
    check('instruments_level', sql`${t.level} IN ('beginner', 'intermediate', 'professional')`),
    check('instruments_ages', sql`${t.ages} GLOB '[0-9]*' AND length(${t.ages}) BETWEEN 2 AND 8`),
    check('instruments_price', sql`${t.priceCents} BETWEEN 1 AND ${maxCents}`),
    check('instruments_minimum', sql`${t.minQuantity} BETWEEN 1 AND ${maxQuantity}`),
    check('instruments_available', sql`${t.availableQuantity} BETWEEN 0 AND ${maxQuantity}`),
    check('instruments_hidden', sql`${t.hidden} = 0 OR (${t.hidden} = 1 AND ${t.removedAt} IS NOT NULL)`),
    check('instruments_threshold', sql`${t.lowStock} BETWEEN 0 AND ${maxQuantity}`),
    check(
      'instruments_price_breaks',
      sql`json_type(${t.priceBreaks}) = 'array' AND json_array_length(${t.priceBreaks}) <= 5 AND (${t.priceBreaks} = '[]' OR coalesce(
        ${t.priceBreaks} ->> '$[0].from' > ${t.minQuantity} AND ${t.priceBreaks} ->> '$[0].priceCents' BETWEEN 1 AND ${t.priceCents} - 1, 0))`,
    ),
    check(
      'instruments_price_breaks_fall',
      sql.join(
        [1, 2, 3, 4].map((nth) => fallsAt(t.priceBreaks, nth)),
        sql` AND `,
      ),
    ),
    check(
      'instruments_attributes',
      sql`json_type(${t.attributes}) = 'array' AND json_array_length(${t.attributes}) <= 20`,
    ),
    check('instruments_alt', sql`length(${t.alt}) <= 200`),
    check('instruments_pictures', sql`json_type(${t.pictures}) = 'array' AND json_array_length(${t.pictures}) <= 7`),
    check('instruments_sale', sql`${t.saleCents} BETWEEN 1 AND ${maxCents}`),
    check(
      'instruments_sale_days',
      sql`(${t.saleCents} IS NULL) = (${t.saleFromAt} IS NULL) AND (${t.saleCents} IS NULL) = (${t.saleUntilAt} IS NULL)
        AND coalesce(${t.saleFromAt} < ${t.saleUntilAt}, 1)`,
    ),
    index('instruments_managed')
      .on(t.listedAt, t.id)
      .where(sql`${t.removedAt} IS NULL OR ${t.hidden} = 1`),
    index('instruments_on_sale_from_a_to_z')
      .on(sql`coalesce(${t.nameKey}, lower(${t.name}))`, t.id)
      .where(sql`${t.removedAt} IS NULL`),
    index('instruments_on_sale_by_price')
      .on(t.priceCents, t.id)
      .where(sql`${t.removedAt} IS NULL`),
    index('instruments_short')
      .on(t.availableQuantity, t.id)
      .where(sql`${t.removedAt} IS NULL AND ${t.availableQuantity} < coalesce(${t.lowStock} + 1, ${t.minQuantity})`),
    index('instruments_on_sale_by_family')
      .on(t.family, t.listedAt, t.id)
      .where(sql`${t.removedAt} IS NULL`),
    index('instruments_on_sale_by_sale_price')
      .on(t.saleCents, t.id)
      .where(sql`${t.removedAt} IS NULL AND ${t.saleCents} IS NOT NULL`),
  ],
)

/** What an instrument has cost: the lowest price of those that ended on a day. Triggers write it, and delete what is older than 30 days. */
export const formerPrices = sqliteTable(
  'former_prices',
  {
    instrumentId: text('instrument_id')
      .notNull()
      .references(() => instruments.id),
    /** A day of the shop, in days since 1970. */
    day: integer('day').notNull(),
    priceCents: integer('price_cents').notNull(),
  },
  (t) => [primaryKey({ columns: [t.instrumentId, t.day] })],
)

/** A customer wants one email when the instrument can be ordered again, which ends the wish. */
export const wishes = sqliteTable(
  'wishes',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    instrumentId: text('instrument_id')
      .notNull()
      .references(() => instruments.id),
    createdAt: integer('created_at').notNull(),
    /** Of the email. */
    language: text('language', { enum: ['en', 'de'] })
      .notNull()
      .default('en'),
    /** The email needs its row until it is sent. */
    emailedAt: integer('emailed_at'),
  },
  (t) => [
    uniqueIndex('wishes_once')
      .on(t.userId, t.instrumentId)
      .where(sql`${t.emailedAt} IS NULL`),
    index('wishes_of_instrument')
      .on(t.instrumentId, t.createdAt)
      .where(sql`${t.emailedAt} IS NULL`),
    index('wishes_of_user').on(t.userId),
  ],
)

/**
 * A customer asks for a price (`asked`); the shop offers one, or declines. Triggers let an offer make one order, of its customer, instrument
 * and quantity, while it is valid; nothing changes its terms.
 */
export const quotes = sqliteTable(
  'quotes',
  {
    id: text('id').primaryKey(),
    customerId: text('customer_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    instrumentId: text('instrument_id')
      .notNull()
      .references(() => instruments.id),
    /** The idempotency key of the form (R43). */
    submissionId: text('submission_id').notNull(),
    wantedQuantity: integer('wanted_quantity').notNull(),
    /** The customer's words. */
    note: text('note'),
    createdAt: integer('created_at').notNull(),
    state: text('state', { enum: ['asked', 'offered', 'declined'] })
      .notNull()
      .default('asked'),
    quantity: integer('quantity'),
    unitPriceCents: integer('unit_price_cents'),
    validUntil: integer('valid_until'),
    /** The shop's words. */
    reply: text('reply'),
    answeredBy: text('answered_by'),
    answeredAt: integer('answered_at'),
  },
  (t) => [
    uniqueIndex('quotes_once').on(t.customerId, t.submissionId),
    check('quotes_state', sql`${t.state} IN ('asked', 'offered', 'declined')`),
    check('quotes_wanted', sql`${t.wantedQuantity} BETWEEN 1 AND ${maxQuantity}`),
    check('quotes_quantity', sql`${t.quantity} BETWEEN 1 AND ${maxQuantity}`),
    check(
      'quotes_payable',
      sql`${t.unitPriceCents} > 0 AND ${t.unitPriceCents} * ${t.quantity} BETWEEN ${minCents} AND ${maxCents}`,
    ),
    check(
      'quotes_answered',
      sql`(${t.state} = 'asked') = (${t.answeredAt} IS NULL) AND (${t.state} = 'asked') = (${t.answeredBy} IS NULL)`,
    ),
    check(
      'quotes_offered',
      sql`(${t.quantity} IS NULL) = (${t.unitPriceCents} IS NULL) AND (${t.quantity} IS NULL) = (${t.validUntil} IS NULL) AND (${t.state} = 'declined' OR (${t.state} = 'offered') = (${t.quantity} IS NOT NULL))`,
    ),
    check('quotes_declined', sql`${t.state} <> 'declined' OR ${t.reply} IS NOT NULL`),
    index('quotes_of_customer').on(t.customerId, t.createdAt, t.id),
    index('quotes_asked')
      .on(t.createdAt, t.id)
      .where(sql`${t.state} = 'asked'`),
    index('quotes_answered_by_age')
      .on(t.createdAt, t.id)
      .where(sql`${t.state} <> 'asked'`),
  ],
)

/** Discount codes (decision 53). Triggers keep their terms, and count the orders that use them. */
export const discounts = sqliteTable(
  'discounts',
  {
    /** In capitals. */
    code: text('code').primaryKey(),
    /** Off the price of each piece: one of the two. */
    percent: integer('percent'),
    amountCents: integer('amount_cents'),
    fromAt: integer('from_at').notNull(),
    /** Null: until it is ended. */
    untilAt: integer('until_at'),
    /** What the order must cost without the code. */
    minTotalCents: integer('min_total_cents').notNull().default(0),
    maxUses: integer('max_uses'),
    maxUsesPerCustomer: integer('max_uses_per_customer'),
    /** Ids and slugs; both empty: every instrument. JSON, so that one row has all of it. */
    instruments: text('instruments', { mode: 'json' }).$type<string[]>().notNull().default([]),
    families: text('families', { mode: 'json' }).$type<string[]>().notNull().default([]),
    /** 1: off the price of a price break too. 0: the customer gets the better of the two. */
    combines: integer('combines').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (t) => [
    check('discounts_code', sql`length(${t.code}) BETWEEN 3 AND 30 AND ${t.code} NOT GLOB '*[^A-Z0-9-]*'`),
    check(
      'discounts_off',
      sql`(${t.percent} IS NULL) <> (${t.amountCents} IS NULL) AND coalesce(${t.percent}, 1) BETWEEN 1 AND 100 AND coalesce(${t.amountCents}, 1) BETWEEN 1 AND ${maxCents}`,
    ),
    check('discounts_period', sql`${t.untilAt} > ${t.fromAt}`),
    check('discounts_minimum', sql`${t.minTotalCents} BETWEEN 0 AND ${maxCents}`),
    check('discounts_uses', sql`${t.maxUses} > 0`),
    check('discounts_uses_each', sql`${t.maxUsesPerCustomer} > 0`),
    check('discounts_combines', sql`${t.combines} IN (0, 1)`),
    check('discounts_scope', sql`json_type(${t.instruments}) = 'array' AND json_type(${t.families}) = 'array'`),
  ],
)

export const orders = sqliteTable(
  'orders',
  {
    id: text('id').primaryKey(),
    /** For people: `C-1042`. Without a gap: the INSERT takes `nextOrderNumber`. Never changed. */
    number: integer('number').notNull().unique('orders_number'),
    customerId: text('customer_id')
      .notNull()
      .references(() => users.id),
    instrumentId: text('instrument_id')
      .notNull()
      .references(() => instruments.id),
    /** The idempotency key of the form (R13). */
    submissionId: text('submission_id').notNull(),
    productName: text('product_name').notNull(),
    unitPriceCents: integer('unit_price_cents').notNull(),
    quantity: integer('quantity').notNull(),
    totalCents: integer('total_cents').notNull(),
    customerName: text('customer_name').notNull(),
    customerEmail: text('customer_email').notNull(),
    customerAddress: text('customer_address').notNull(),
    customerPhone: text('customer_phone').notNull(),
    state: text('state', { enum: ['unpaid', 'paid', 'shipped', 'cancelled'] })
      .notNull()
      .default('unpaid'),
    createdAt: integer('created_at').notNull(),
    /** Null: until it is cancelled. */
    holdUntil: integer('hold_until'),
    paidAt: integer('paid_at'),
    shippedAt: integer('shipped_at'),
    cancelledAt: integer('cancelled_at'),
    /** Unique: one payment pays one order (R15). */
    transactionId: text('transaction_id').unique(),
    /** A user id, or `stripe`, `hold expiry` … */
    movedBy: text('moved_by').notNull(),
    /** The sums of its rows in `order_refunds`, kept by triggers. */
    refundedCents: integer('refunded_cents').notNull().default(0),
    returnedQuantity: integer('returned_quantity').notNull().default(0),
    /** What its rows in `disputes` come to; null: none that counts. `recordDisputes` writes both in one batch. */
    dispute: text('dispute', { enum: ['inquiry', 'open', 'won', 'lost'] }),
    /** What the customer may follow the parcel with; only of a shipped order. */
    carrier: text('carrier'),
    trackingNumber: text('tracking_number'),
    trackingUrl: text('tracking_url'),
    /** For the invoice; each may be null. */
    company: text('company'),
    vatNumber: text('vat_number'),
    purchaseOrder: text('purchase_order'),
    /** It was placed in; its emails are written in it. */
    language: text('language', { enum: ['en', 'de'] })
      .notNull()
      .default('en'),
    /** For colleagues; customers never read it. */
    staffNote: text('staff_note'),
    /** Only of unverified customers, and while it counts for a limit. */
    ipHash: text('ip_hash'),
    /** The offer that it accepts: its price. Unique: an offer makes one order. */
    quoteId: text('quote_id').references(() => quotes.id),
    /** The code that has lowered the unit price, and by how much the whole order: a trigger checks both. */
    discountCode: text('discount_code').references(() => discounts.code),
    discountCents: integer('discount_cents'),
  },
  (t) => [
    check(
      'orders_discount',
      sql`(${t.discountCode} IS NULL) = (${t.discountCents} IS NULL) AND coalesce(${t.discountCents}, 1) > 0`,
    ),
    index('orders_of_discount')
      .on(t.discountCode, t.customerId)
      .where(sql`${t.discountCode} IS NOT NULL AND ${t.state} <> 'cancelled'`),
    uniqueIndex('orders_once').on(t.customerId, t.submissionId),
    uniqueIndex('orders_quote')
      .on(t.quoteId)
      .where(sql`${t.quoteId} IS NOT NULL`),
    check('orders_state', sql`${t.state} IN ('unpaid', 'paid', 'shipped', 'cancelled')`),
    check('orders_quantity', sql`${t.quantity} BETWEEN 1 AND ${maxQuantity}`),
    check('orders_total', sql`${t.totalCents} = ${t.unitPriceCents} * ${t.quantity}`),
    check('orders_payable', sql`${t.totalCents} BETWEEN ${minCents} AND ${maxCents}`),
    check(
      'orders_paid',
      sql`(${t.state} IN ('paid', 'shipped')) = (${t.transactionId} IS NOT NULL) AND (${t.state} IN ('paid', 'shipped')) = (${t.paidAt} IS NOT NULL)`,
    ),
    check('orders_shipped', sql`(${t.state} = 'shipped') = (${t.shippedAt} IS NOT NULL)`),
    check('orders_cancelled', sql`(${t.state} = 'cancelled') = (${t.cancelledAt} IS NOT NULL)`),
    check(
      'orders_refunded',
      sql`${t.refundedCents} BETWEEN 0 AND CASE WHEN ${t.transactionId} IS NULL THEN 0 ELSE ${t.totalCents} END`,
    ),
    check(
      'orders_shipment',
      sql`${t.state} = 'shipped' OR coalesce(${t.carrier}, ${t.trackingNumber}, ${t.trackingUrl}) IS NULL`,
    ),
    check('orders_tracking_url', sql`${t.trackingUrl} LIKE 'https://%'`),
    check('orders_company', sql`length(${t.company}) BETWEEN 1 AND 100`),
    check('orders_vat_number', sql`length(${t.vatNumber}) BETWEEN 4 AND 30`),
    check('orders_purchase_order', sql`length(${t.purchaseOrder}) BETWEEN 1 AND 60`),
    check('orders_returned', sql`${t.returnedQuantity} BETWEEN 0 AND ${t.quantity}`),
    index('orders_of_customer').on(t.customerId, t.createdAt, t.id),
    index('orders_by_age').on(t.createdAt, t.id),
    index('orders_by_state').on(t.state, t.createdAt, t.id),
    index('orders_of_instrument').on(t.instrumentId, t.paidAt),
    // Partial: unpaid orders are few. `state` comes first, or SQLite would choose orders_by_state.
    index('orders_unpaid_of_instrument')
      .on(t.state, t.instrumentId, t.holdUntil)
      .where(sql`${t.state} = 'unpaid'`),
    // What `isToShip` finds, without those that were refunded in place of shipping.
    index('orders_to_ship')
      .on(t.state, t.createdAt, t.id)
      .where(
        sql`${t.state} = 'paid' AND ${t.returnedQuantity} < ${t.quantity} AND ${t.refundedCents} < ${t.totalCents} AND coalesce(${t.dispute}, 'won') = 'won'`,
      ),
    // For emails that ask for a review.
    index('orders_shipped_by_time')
      .on(t.state, t.shippedAt)
      .where(sql`${t.state} = 'shipped'`),
    index('orders_of_ip')
      .on(t.ipHash, t.createdAt)
      .where(sql`${t.ipHash} IS NOT NULL`),
    // What `isBought` finds.
    index('orders_bought')
      .on(t.customerId, t.instrumentId)
      .where(sql`${t.state} IN ('paid', 'shipped') AND ${t.refundedCents} < ${t.totalCents}`),
    index('orders_unpaid_of_customer')
      .on(t.state, t.customerId, t.instrumentId)
      .where(sql`${t.state} = 'unpaid'`),
  ],
)

/**
 * From when on the clocks of the shop's time zone are how far ahead of UTC: SQLite knows no zones, and sales count by its days and months
 * (decision 67). Written with the setting, and what they have counted again; without a row: UTC.
 */
export const zoneOffsets = sqliteTable('zone_offsets', {
  fromAt: integer('from_at').primaryKey(),
  /** In milliseconds. */
  offsetMs: integer('offset_ms').notNull(),
})

/** Paid orders of each day of the shop, counted by a reader of the log: reading a year of orders would take long. */
export const dailySales = sqliteTable('daily_sales', {
  /** Days since 1970. */
  day: integer('day').primaryKey(),
  orders: integer('orders').notNull(),
  revenueCents: integer('revenue_cents').notNull(),
})

/** Paid orders of each month of the shop and instrument, and what was refunded in it, counted by a reader of the log. For the reports. */
export const monthlySales = sqliteTable(
  'monthly_sales',
  {
    /** Such as `2026-11`. */
    month: text('month').notNull(),
    instrumentId: text('instrument_id')
      .notNull()
      .references(() => instruments.id),
    orders: integer('orders').notNull(),
    pieces: integer('pieces').notNull(),
    /** Before refunds. */
    revenueCents: integer('revenue_cents').notNull(),
    /** Of refunds that were made or are owed in this month, whenever the order was paid; without those that failed since. */
    refundedCents: integer('refunded_cents').notNull(),
    /** What discount codes have taken off the revenue. */
    discountCents: integer('discount_cents').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.month, t.instrumentId] })],
)

/** Each customer with a paid order. A reader of the log keeps this and the next table. */
export const buyers = sqliteTable('buyers', {
  customerId: text('customer_id')
    .primaryKey()
    .references(() => users.id),
  /** The newest month of the shop in which they count as returning, such as `2026-11`; empty after one order. */
  lastMonth: text('last_month').notNull(),
})

/** Customers with an order that was paid in the month: their first one (new), another one (returning), or both (decision 52). */
export const monthlyCustomers = sqliteTable('monthly_customers', {
  /** Such as `2026-11`. */
  month: text('month').primaryKey(),
  newCustomers: integer('new_customers').notNull(),
  returningCustomers: integer('returning_customers').notNull(),
})

/** What shoppers of each month of the shop looked for and did not find, in normalised words. 200 of a month are kept, see the store. */
export const emptySearches = sqliteTable(
  'empty_searches',
  {
    /** Such as `2026-11`. */
    month: text('month').notNull(),
    words: text('words').notNull(),
    searches: integer('searches').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.month, t.words] }),
    check('empty_searches_words', sql`length(${t.words}) BETWEEN 1 AND 60`),
  ],
)

export const paymentAttempts = sqliteTable(
  'payment_attempts',
  {
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    attempt: integer('attempt').notNull(),
    kind: text('kind', { enum: ['checkout', 'intent'] }).notNull(),
    /** `opening` until the provider responds; only one attempt of an order is not `closed`. */
    state: text('state', { enum: ['opening', 'open', 'closed'] })
      .notNull()
      .default('opening'),
    providerId: text('provider_id').unique(),
    url: text('url'),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    askAt: integer('ask_at').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.attempt] }),
    check('payment_attempts_kind', sql`${t.kind} IN ('checkout', 'intent')`),
    check('payment_attempts_state', sql`${t.state} IN ('opening', 'open', 'closed')`),
    check('payment_attempts_open', sql`${t.state} <> 'open' OR ${t.providerId} IS NOT NULL`),
    index('payment_attempts_to_ask')
      .on(t.askAt)
      .where(sql`${t.state} = 'open'`),
    uniqueIndex('payment_attempts_one_open')
      .on(t.orderId)
      .where(sql`${t.state} <> 'closed'`),
  ],
)

export const refunds = sqliteTable(
  'refunds',
  {
    transactionId: text('transaction_id').primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    amountCents: integer('amount_cents').notNull(),
    refundId: text('refund_id'),
    createdAt: integer('created_at').notNull(),
    madeAt: integer('made_at'),
    failedAt: integer('failed_at'),
  },
  (t) => [check('refunds_amount', sql`${t.amountCents} > 0`), index('refunds_of_order').on(t.orderId)],
)

/**
 * Payments of this shop without their order: a restore has lost it. Owed to the customer until `refunded_at`; a person decides, because
 * the customer may want the instrument.
 */
export const unmatchedPayments = sqliteTable(
  'unmatched_payments',
  {
    transactionId: text('transaction_id').primaryKey(),
    /** From the payment's metadata: `orders` does not have it. */
    orderId: text('order_id').notNull(),
    amountCents: integer('amount_cents').notNull(),
    foundAt: integer('found_at').notNull(),
    refundId: text('refund_id'),
    refundedAt: integer('refunded_at'),
  },
  (t) => [
    check('unmatched_payments_amount', sql`${t.amountCents} > 0`),
    check('unmatched_payments_refunded', sql`(${t.refundId} IS NULL) = (${t.refundedAt} IS NULL)`),
  ],
)

/** Payments of orders that a customer asks back from the bank, as Stripe last said it (decision 12). */
export const disputes = sqliteTable(
  'disputes',
  {
    /** Stripe's. */
    id: text('id').primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** `inquiry`: the bank asks before it takes anything. `closed`: an inquiry that came to nothing, or a dispute that was prevented. */
    state: text('state', { enum: ['inquiry', 'open', 'won', 'lost', 'closed'] }).notNull(),
    /** Stripe's word, such as `product_not_received`. */
    reason: text('reason').notNull(),
    amountCents: integer('amount_cents').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Until when the shop can answer; null: it has answered, or cannot. */
    dueBy: integer('due_by'),
    /** What has left the balance at Stripe, fees included, and what came back. */
    withdrawnCents: integer('withdrawn_cents').notNull(),
    withdrawnAt: integer('withdrawn_at'),
    reinstatedCents: integer('reinstated_cents').notNull(),
    reinstatedAt: integer('reinstated_at'),
    /** When Stripe was asked: an answer to an earlier question changes nothing. */
    askedAt: integer('asked_at').notNull(),
  },
  (t) => [
    check('disputes_state', sql`${t.state} IN ('inquiry', 'open', 'won', 'lost', 'closed')`),
    check('disputes_amount', sql`${t.amountCents} > 0`),
    check(
      'disputes_withdrawn',
      sql`${t.withdrawnCents} >= 0 AND (${t.withdrawnCents} = 0) = (${t.withdrawnAt} IS NULL)`,
    ),
    check(
      'disputes_reinstated',
      sql`${t.reinstatedCents} >= 0 AND (${t.reinstatedCents} = 0) = (${t.reinstatedAt} IS NULL)`,
    ),
    // Few: those that the cron trigger asks about however old they are.
  ],
)

/**
 * Of payments that pay an order; `refunds` has those of the others. Without `refund_id` it is owed; with `failed_at` the
 * customer did not get the money. Triggers keep the sum within what was paid.
 */
export const orderRefunds = sqliteTable(
  'order_refunds',
  {
    id: text('id').primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    submissionId: text('submission_id').notNull(),
    amountCents: integer('amount_cents').notNull(),
    reason: text('reason').notNull(),
    /** Pieces that went back to stock. */
    restock: integer('restock').notNull().default(0),
    /** A user id, or `stripe` for a refund that was made there. */
    movedBy: text('moved_by').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Final responses of the provider: each needs a new idempotency key. */
    tries: integer('tries').notNull().default(0),
    refundId: text('refund_id').unique(),
    madeAt: integer('made_at'),
    failedAt: integer('failed_at'),
  },
  (t) => [
    uniqueIndex('order_refunds_once').on(t.orderId, t.submissionId),
    check('order_refunds_amount', sql`${t.amountCents} > 0`),
    check('order_refunds_restock', sql`${t.restock} >= 0`),
    check('order_refunds_made', sql`(${t.refundId} IS NULL) = (${t.madeAt} IS NULL)`),
    index('order_refunds_owed')
      .on(t.createdAt)
      .where(sql`${t.refundId} IS NULL AND ${t.failedAt} IS NULL`),
    index('order_refunds_failed')
      .on(t.failedAt)
      .where(sql`${t.refundId} IS NOT NULL AND ${t.failedAt} IS NOT NULL`),
  ],
)

/** Who sells, and at which rate of VAT: a row for each configuration. Append-only, so that invoices keep theirs. The newest row counts. */
export const sellers = sqliteTable(
  'sellers',
  {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    address: text('address').notNull(),
    vatNumber: text('vat_number'),
    /** In hundredths of a percent. */
    vatRate: integer('vat_rate').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [check('sellers_vat_rate', sql`${t.vatRate} BETWEEN 0 AND 9999`)],
)

/**
 * Of each order that was paid since migration 0026: a trigger issues it in the statement that makes the order paid. Never changed: amounts
 * and what was ordered stand in the order, whose terms are never changed either. Numbers of a series have no gap; a restore begins a series.
 */
export const invoices = sqliteTable(
  'invoices',
  {
    orderId: text('order_id')
      .primaryKey()
      .references(() => orders.id),
    series: integer('series').notNull(),
    number: integer('number').notNull(),
    issuedAt: integer('issued_at').notNull(),
    /** Null until a Worker has stored the first seller: a trigger then sets it. */
    sellerId: integer('seller_id').references(() => sellers.id),
    buyerName: text('buyer_name').notNull(),
    buyerAddress: text('buyer_address').notNull(),
    company: text('company'),
    vatNumber: text('vat_number'),
    purchaseOrder: text('purchase_order'),
  },
  (t) => [uniqueIndex('invoices_number').on(t.series, t.number)],
)

/** Of each refund that is made, of an order with an invoice; and its reversal if the refund fails afterwards. Triggers issue both. */
export const creditNotes = sqliteTable(
  'credit_notes',
  {
    series: integer('series').notNull(),
    number: integer('number').notNull(),
    orderId: text('order_id')
      .notNull()
      .references(() => invoices.orderId),
    refundId: text('order_refund_id')
      .notNull()
      .references(() => orderRefunds.id),
    /** 1: the bank returned the money, and this takes the credit note of the same refund back. */
    isReversal: integer('is_reversal').notNull(),
    /** Negative in a reversal. */
    amountCents: integer('amount_cents').notNull(),
    issuedAt: integer('issued_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.series, t.number] }),
    uniqueIndex('credit_notes_once').on(t.refundId, t.isReversal),
    index('credit_notes_of_order').on(t.orderId, t.series, t.number),
    check('credit_notes_reversal', sql`${t.isReversal} IN (0, 1)`),
    check('credit_notes_amount', sql`${t.amountCents} <> 0 AND (${t.amountCents} < 0) = ${t.isReversal}`),
  ],
)

export const webhookEvents = sqliteTable('webhook_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  receivedAt: integer('received_at').notNull(),
})

export const reviews = sqliteTable(
  'reviews',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').references(() => users.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    img: text('img').notNull(),
    description: text('description').notNull(),
    createdAt: integer('created_at').notNull(),
    hiddenAt: integer('hidden_at'),
    hiddenReason: text('hidden_reason'),
    /** The shop's public answer. */
    reply: text('reply'),
    /** What it is about, if it is about one that its author bought. */
    instrumentId: text('instrument_id').references(() => instruments.id),
    /** 1 to 5 stars. */
    rating: integer('rating'),
  },
  (t) => [
    check('reviews_description', sql`length(${t.description}) BETWEEN 1 AND 1000`),
    check('reviews_rating', sql`${t.rating} BETWEEN 1 AND 5`),
    index('reviews_by_age').on(t.createdAt, t.id),
    index('reviews_of_user').on(t.userId, t.createdAt),
    // With what is counted.
    index('reviews_of_instrument').on(t.instrumentId, t.createdAt, t.id, t.hiddenAt, t.rating),
  ],
)

export const contactMessages = sqliteTable(
  'contact_messages',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    message: text('message').notNull(),
    copy: integer('copy').notNull(),
    createdAt: integer('created_at').notNull(),
    doneAt: integer('done_at'),
  },
  (t) => [
    check('contact_messages_copy', sql`${t.copy} IN (0, 1)`),
    index('contact_messages_of_email').on(t.email),
    index('contact_messages_open')
      .on(t.createdAt, t.id)
      .where(sql`${t.doneAt} IS NULL`),
    index('contact_messages_done')
      .on(t.createdAt, t.id)
      .where(sql`${t.doneAt} IS NOT NULL`),
  ],
)

/** How far each reader has read the audit log (`app/store/log/reader.server.ts`). */
export const logReaders = sqliteTable('log_readers', {
  name: text('name').primaryKey(),
  readId: integer('read_id').notNull().default(0),
  /** To where the run that is under way reads. */
  untilId: integer('until_id').notNull().default(0),
})

/** The outbox: an email is stored in the transaction that makes it true, and sent later, once. */
export const emails = sqliteTable(
  'emails',
  {
    /** The idempotency key, such as `verify-email:<token hash>`. */
    id: text('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    createdAt: integer('created_at').notNull(),
    dueAt: integer('due_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    sentAt: integer('sent_at'),
    /** The text of an email about an order or a stock is written from this row when it is sent. */
    auditLogId: integer('audit_log_id').references(() => auditLog.id),
    /** The first part of the id: what writes it (`deliver-email.server.ts`), unless its text is here. */
    kind: text('kind').notNull(),
    /** The contact message, the wish, the quote or the shipped order, if it is about one. */
    aboutId: text('about_id'),
  },
  (t) => [
    index('emails_pending')
      .on(t.dueAt)
      .where(sql`${t.sentAt} IS NULL`),
    index('emails_to_forget')
      .on(t.sentAt)
      .where(sql`${t.recipient} <> ''`),
    index('emails_to_recipient')
      .on(t.recipient)
      .where(sql`${t.recipient} <> ''`),
  ],
)

/** One row. */
export const shopSettings = sqliteTable(
  'shop_settings',
  {
    id: integer('id').primaryKey(),
    /** About paid orders, to the shop: one each, a daily summary, or none. */
    orderEmails: text('order_emails', { enum: ['each', 'daily', 'none'] })
      .notNull()
      .default('none'),
    messageEmails: text('message_emails', { enum: ['each', 'none'] })
      .notNull()
      .default('each'),
    quoteEmails: text('quote_emails', { enum: ['each', 'none'] })
      .notNull()
      .default('each'),
    /** None: whatever threshold a product has. */
    stockEmails: text('stock_emails', { enum: ['each', 'none'] })
      .notNull()
      .default('each'),
    /** Order numbers are above it. A restore raises it over those that were given out after the backup. */
    orderNumberFloor: integer('order_number_floor').notNull().default(1000),
    /** Of new invoices and credit notes. A restore raises it: numbers of the old series may be in customers' hands. */
    invoiceSeries: integer('invoice_series').notNull().default(1),
    /** Orders whose payment stands in the audit log after this row have an invoice; earlier ones have none. */
    invoicesAfter: integer('invoices_after').notNull().default(0),
  },
  (t) => [
    check('shop_settings_one', sql`${t.id} = 1`),
    check('shop_settings_order_emails', sql`${t.orderEmails} IN ('each', 'daily', 'none')`),
  ],
)

/** Texts of the shopkeeper, in Markdown (decision 48). */
export const pages = sqliteTable(
  'pages',
  {
    id: text('id').primaryKey(),
    slug: text('slug').notNull().unique('pages_slug_unique'),
    /** Addresses that it had before, which no other page takes: they redirect. */
    former: text('former', { mode: 'json' }).$type<string[]>().notNull().default([]),
    title: text('title').notNull(),
    body: text('body').notNull(),
    /** Where the footer links it: one of its words, 'own', or '' for nowhere. */
    footer: text('footer').notNull().default(''),
    /** Rises with each change. */
    version: integer('version').notNull().default(1),
    changedAt: integer('changed_at').notNull(),
    changedBy: text('changed_by')
      .notNull()
      .references(() => users.id),
    /** What visitors read; null while it is not published. */
    publishedTitle: text('published_title'),
    publishedBody: text('published_body'),
    publishedAt: integer('published_at'),
  },
  (t) => [
    check('pages_slug', sql`length(${t.slug}) BETWEEN 1 AND 80 AND ${t.slug} NOT GLOB '*[^a-z0-9-]*'`),
    check('pages_title', sql`length(${t.title}) BETWEEN 1 AND 100`),
    check('pages_body', sql`length(${t.body}) BETWEEN 1 AND 50000`),
    check(
      'pages_published',
      sql`(${t.publishedAt} IS NULL) = (${t.publishedTitle} IS NULL) AND (${t.publishedAt} IS NULL) = (${t.publishedBody} IS NULL)`,
    ),
    uniqueIndex('pages_footer')
      .on(t.footer)
      .where(sql`${t.footer} NOT IN ('', 'own')`),
  ],
)

/**
 * What the shop says about itself, a row each time an admin saved it; the newest counts. Rows are never changed, and deleted only with a
 * restore: whoever looks for who changed what, and when, compares two of them.
 */
export const settingsVersions = sqliteTable(
  'settings_versions',
  {
    /** From 1, without a gap. */
    version: integer('version').primaryKey(),
    /** JSON of the settings that differ from those of the deployment, by name: all texts (`SettingsDocument`). */
    document: text('document').notNull(),
    /** Milliseconds since 1970. */
    savedAt: integer('saved_at').notNull(),
    /** The id of the admin. */
    savedBy: text('saved_by').notNull(),
  },
  (t) => [
    check('settings_versions_from_one', sql`${t.version} >= 1`),
    check('settings_versions_json', sql`json_type(${t.document}) = 'object'`),
    // A Worker holds them in memory, and reads them anew after each change.
    check('settings_versions_size', sql`length(${t.document}) <= 200000`),
  ],
)

/** One row: what `/healthz?deep` writes and reads, and the lease of the cron trigger. Times in milliseconds since 1970. */
export const health = sqliteTable(
  'health',
  {
    id: integer('id').primaryKey(),
    checkedAt: integer('checked_at'),
    /** So many bytes that a full disk has no room for them. */
    ballast: text('ballast').notNull().default(''),
    /** The run of the cron trigger that is under way, and until when no other one begins. */
    cronRun: text('cron_run'),
    cronLeaseUntil: integer('cron_lease_until').notNull().default(0),
    cronStartedAt: integer('cron_started_at'),
    /** The end of the last run in which no task failed. */
    cronFinishedAt: integer('cron_finished_at').notNull(),
  },
  (t) => [check('health_one', sql`${t.id} = 1`)],
)

/** Append-only (by trigger). The sum of an instrument's stock_delta is always its available quantity. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    event: text('event', {
      enum: [
        'stock counted',
        'instrument changed',
        'instrument removed',
        'instrument hidden',
        'instrument shown',
        'quote asked',
        'review written',
        'order placed',
        'order paid',
        'order shipped',
        'order cancelled',
        'refund owed',
        'refund made',
        'refund failed',
        'payment without order',
        'payment without order refunded',
        'pieces returned',
        'shipment corrected',
        'note changed',
        'customer note changed',
        'admin granted',
        'review hidden',
        'review shown',
        'review answered',
        'message done',
        'message open again',
        'admin revoked',
        'second factor on',
        'second factor off',
        'recovery code used',
        'recovery codes renewed',
        'sessions ended',
        'shop emails changed',
        'account closed',
        'passkey added',
        'passkey removed',
        'quote offered',
        'quote declined',
        'seller stored',
        'page saved',
        'page published',
        'page withdrawn',
        'page deleted',
        'family added',
        'family changed',
        'family deleted',
        'shop exported',
        'staff role granted',
        'staff role revoked',
        'api key made',
        'api key revoked',
      ],
    }).notNull(),
    actor: text('actor').notNull(),
    instrumentId: text('instrument_id').references(() => instruments.id),
    orderId: text('order_id').references(() => orders.id),
    userId: text('user_id').references(() => users.id),
    stockDelta: integer('stock_delta').notNull().default(0),
    note: text('note').notNull().default(''),
    /** Of a form that must not act twice (R43). Of quotes, sellers and discount codes: their terms, in JSON, which `npm run verify` compares. */
    submissionId: text('submission_id'),
    /** What a payment or a refund is found by: a transaction, or the id of a refund of an order. The note is never changed: it cannot move. */
    aboutId: text('about_id').generatedAlwaysAs(
      sql`CASE WHEN "event" IN ('order paid', 'refund owed', 'refund made', 'refund failed', 'pieces returned',
    'payment without order', 'payment without order refunded', 'quote asked', 'quote offered', 'quote declined', 'review written') THEN "note" END`,
    ),
  },
  (t) => [
    uniqueIndex('audit_log_once')
      .on(t.submissionId)
      .where(sql`${t.submissionId} IS NOT NULL`),
    check('audit_log_stock', sql`${t.stockDelta} = 0 OR ${t.instrumentId} IS NOT NULL`),
    index('audit_log_of_order').on(t.orderId, t.id),
    index('audit_log_of_instrument').on(t.instrumentId, t.id),
    index('audit_log_of_user')
      .on(t.userId, t.id)
      .where(sql`${t.userId} IS NOT NULL`),
  ],
)
