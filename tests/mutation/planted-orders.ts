import { inFile, schema, type PlantedBug } from './planted-bug'

const tests = (...names: string[]) => names.map((name) => `app/store/${name}.server.test.ts`)

export const plantedOrders: PlantedBug[] = [
  ...inFile('app/store/payments/confirm-payment.server.ts', [], {
    'the currency is not checked': "«${currency} = 'usd' AND →»",
    'any customer’s payment pays': "«eq(orders.customerId, payment.customerId ?? '')→undefined»",
    'a payment for another order pays': '« AND ${payment.orderId} = ${orderId}→»',
    'a refunded payment pays': '«sql`${refundedCents} = 0`→undefined»',
    'any amount pays': '«eq(orders.totalCents, amountCents)→undefined»',
    'an event is stored though its payment pays nothing': 'also(«isPaid→sql`true`»)',
  }),
  ...inFile('app/store/payments/payments.server.ts', tests('payments/confirm-payment'), {
    'another’s payment is begun': '«orders.customer_id = ${customer.id} AND →»',
  }),
  ...inFile('app/store/payments/attempts.server.ts', [], {
    'the cron starves the oldest attempts': 'ORDER BY ask_at «→DESC »LIMIT',
    'the cron checks the same attempts every time': 'SET ask_at = ${at} «→* 0 »+ max(',
    'the cron waits longer than six hours': '«min→max»(${maxInterval}, ',
    'a tab closes the payment of another tab':
      "«attempt.state === 'opening' ? eq(paymentAttempts.state, 'opening') : →»undefined",
    'an expired attempt is opened':
      ".where(«and(isAttempt(attempt), eq(paymentAttempts.state, 'opening'))→isAttempt(attempt)»)",
    'closing one attempt closes every order’s first':
      'return «and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.attempt, attempt))→eq(paymentAttempts.attempt, attempt)»',
    'a payment too many of one order': '«<→<=» ${maxPaymentAttempts}',
  }),
  ...inFile('app/store/ordering/place-order.server.ts', [], {
    'another customer’s submission is found':
      '«and(eq(orders.customerId, customer.id), eq(orders.submissionId, submissionId))→eq(orders.submissionId, submissionId)»',
  }),
  ...inFile(schema, ['app/db/schema.server.test.ts'], {
    'an instrument off sale is sold': 'WHERE `id` = NEW.`instrument_id`« AND `removed_at` IS NULL→» AND NEW',
  }),
  ...inFile(schema, tests('ordering/accept-quote', 'quotes/quotes'), {
    'an order has the price of another customer’s quote':
      '`id` = NEW.`quote_id`« AND `customer_id` = NEW.`customer_id`→»',
    'an order has the price of another instrument’s quote': '« AND `instrument_id` = NEW.`instrument_id`→»',
    'an expired quote is ordered': '« AND `valid_until` > NEW.`created_at`→»',
    'a quote is ordered in another quantity': '« AND `quantity` = NEW.`quantity`→»',
    'a withdrawn quote is ordered': "        AND« `state` = 'offered' AND→»",
    'a quote makes two orders': 'CREATE «UNIQUE →»INDEX `orders_quote`',
    'an order with a quote has any price': 'SELECT «→NEW.»`unit_price_cents` FROM `quotes`',
    'the terms of an offer change': "«\n  OR (OLD.`state` = 'offered' AND NEW.`state` = 'offered')→»",
    'a customer answers a quote': "WHERE `id` = NEW.`answered_by`« AND `role` = 'admin'→»",
    'an accepted offer is withdrawn': "SELECT «RAISE(ABORT, 'an accepted offer stands')→1»;",
    'an order changes its quote': '`hold_until`«, `quote_id`→», `discount_code`',
  }),
  ...inFile('app/store/quotes/quotes.server.ts', [], {
    'another’s request is shown': '«customer ? eq(quotes.customerId, customer.id) : →»undefined',
    'a customer asks without end':
      "«AND (SELECT count(*) FROM quotes WHERE customer_id = u.id AND state = 'asked') < ${maxOpenQuotes}→»",
    'an unverified customer asks for a price': 'AND« u.email_verified_at IS NOT NULL AND→»',
  }),
  ...inFile('app/store/ordering/holds.server.ts', tests('ordering/holds', 'ordering/place-order'), {
    'the cron starves all but the first hold': '.orderBy(«sql`random()`→asc(orders.holdUntil)»)',
  }),
  ...inFile('app/store/payments/stray-refunds.server.ts', [], {
    'a failed refund blocks the others': '«.orderBy(sql`random()`)→»',
    'a refund is made twice': '«.where(isNull(refunds.refundId))→»',
    'an owed refund is logged each time':
      'WHERE «NOT EXISTS (SELECT 1 FROM refunds WHERE transaction_id = ${transactionId})→true»',
  }),
  ...inFile(
    'app/store/payments/provider-refunds.server.ts',
    ['app/store/payments/order-refunds.server.test.ts', 'app/store/payments/stray-refunds.server.test.ts'],
    {
      'a refund at Stripe is counted twice':
        '${refundId}«, ${at}\n      WHERE NOT EXISTS (SELECT 1 FROM order_refunds WHERE refund_id = ${refundId})→ || random(), ${at}»',
      'an owed refund keeps the money that is gone': 'UPDATE order_refunds SET failed_at = «→NULL AND »${at}',
      'an owed refund is given up though there is money': '< «→100 * »${amountCents}`),',
    },
  ),
  ...inFile(schema, ['app/db/schema.server.test.ts'], {
    'more is refunded than was paid': 'BETWEEN 0 AND «→99999999 + »CASE WHEN',
    'more pieces go back than were sold': 'CONSTRAINT "orders_returned" CHECK(«→1 OR »',
    'the sum of refunds can be set back': "SELECT «RAISE(ABORT, 'the refunds of an order add up')→1»;",
    'a refund can be replaced by a smaller one':
      'WHERE« EXISTS (SELECT 1 FROM `order_refunds` WHERE `id` = NEW.`id`)\n      OR→»',
    'a refund that is made can shrink': '«OR NEW.`amount_cents` <> OLD.`amount_cents`→OR 0» OR NEW.`reason`',
    'a failed refund still counts': 'NEW.`order_id` «AND `failed_at` IS NULL→»)\n    WHERE',
    'pieces go back to nowhere': '«NEW.`restock`→0», NEW.`id`\n    FROM',
  }),
  ...inFile('app/store/operations/deliver-email.server.ts', [], {
    'an email is claimed twice': '«lte(emails.dueAt, at), →»',
    'an email is tried once too often': '«lt→lte»(emails.attempts, maxAttempts)',
    'a pause of the provider costs an attempt': '«attempts: sql`${emails.attempts} - 1` →»',
    'an email that another Worker has is put back': '«and(inArray(emails.id, ids), isOurs)→inArray(emails.id, ids)»',
    'a failed email is due at once': 'dueAt: sql`${at} + «${claimTtl}→0» *',
  }),
  ...inFile('app/store/orders/orders.server.ts', [], {
    'a cancelled order is found': "eq(orders.customerId, customer.id)«, ne(orders.state, 'cancelled')→»))",
  }),
  ...inFile(
    'app/store/orders/manage-order.server.ts',
    tests('orders/orders', 'orders/manage-order', 'payments/order-refunds'),
    {
      'an unpaid order is shipped': "and(\n    «eq(orders.state, 'paid'),→»\n    lt(",
      'an order is shipped whose pieces are back in stock': '«lt(orders.returnedQuantity, orders.quantity),→»',
      'a correction is recorded each time':
        '«AND (carrier IS NOT ${carrier} OR tracking_number IS NOT ${trackingNumber} OR tracking_url IS NOT ${trackingUrl})→»',
      'a note is recorded each time': 'WHERE id = ${orderId}« AND staff_note IS NOT ${note}→»',
    },
  ),
  ...inFile('app/store/orders/search-orders.server.ts', [], {
    'a search by number forgets the filters':
      '«and(match, matchesFilters(search, match))→match ?? matchesFilters(search)»',
  }),
  ...inFile('app/store/shared/pagination.server.ts', tests('orders/orders'), {
    'rows of the same moment are left out between pages':
      'sql`«(${time}, ${id}) ${sql.raw(direction)} (SELECT ${time}, ${id→${time} ${sql.raw(direction)} (SELECT ${time»} FROM',
  }),
  ...inFile('app/store/payments/start-payment.server.ts', [], {
    'another’s order is paid by its price': '«eq(orders.customerId, caller.id), →»isUnpaid',
  }),
  ...inFile('app/store/catalog/import-instruments.server.ts', [], {
    'an import overwrites what changed after its plan': '«instruments.version = file.version AND →»',
    'an import of the stock alone keeps the version': 'THEN instruments.version «+ 1 →»END',
  }),
  ...inFile('app/store/catalog/manage-instruments.server.ts', [], {
    'a stale form overwrites another change': '«eq(instruments.version, before.version),→»',
    'the stock limit ignores unpaid orders': "o.state = '«unpaid→paid»' AND o.instrument_id",
    'stock moves though nothing was changed': '« AND changes() = 1→»',
    'an instrument is removed twice in the audit log': "'instrument removed', ${actor}, ${id}« WHERE changes() = 1→»",
    'a deleted instrument can be shown again': '«isHidden ? onSale : eq(instruments.hidden, 1)→undefined»',
    'a second press moves the stock again': "${reason ?? ''}, «${key}→NULL» FROM",
    'a stock change has no limit': '« AND (${delta} <= 0 OR ${fitsStock(delta)})→»',
  }),
  ...inFile('app/store/catalog/instruments.server.ts', [], {
    'a hold expires a moment too late': 'o.hold_until «<=→<» ${at}',
  }),
  ...inFile('app/store/operations/scheduled-tasks.server.ts', [], {
    'the cron overlaps itself': '«and(eq(health.id, 1), lte(health.cronLeaseUntil, at))→eq(health.id, 1)»',
  }),
  ...inFile('app/store/screens/dashboard.server.ts', tests('orders/orders'), {
    'the dashboard lists everybody’s orders': 'and(«eq(orders.customerId, user.id), →»ne(',
  }),
  ...inFile('app/store/catalog/stock-emails.server.ts', tests('catalog/wishes'), {
    'a hidden instrument emails who waits for it':
      'event.instrument_id« AND removed_at IS NULL→» AND available_quantity',
    'one piece is enough for the email, whatever the minimum': 'available_quantity «>= min_quantity→> 0»',
    'each restock emails again': 'UPDATE wishes SET «emailed_at→created_at» = (SELECT',
  }),
  ...inFile('app/store/catalog/wishes.server.ts', [], {
    'an unverified customer has wishes': 'AND« u.email_verified_at IS NOT NULL AND→»',
    'a wish for what is in stock never ends': '« AND i.available_quantity < i.min_quantity→»',
    'a customer has any number of wishes': '«AND (SELECT count(*) FROM wishes WHERE ${isOpen}) < ${maxWishes}→»',
    'the link ends everybody’s wishes':
      '«and(eq(wishes.userId, id), isNull(wishes.emailedAt))→isNull(wishes.emailedAt)»',
  }),
  ...inFile(schema, tests('operations/shop-emails', 'catalog/manage-instruments'), {
    'the database shows a deleted instrument again': 'AND «(NEW.`removed_at` IS NULL OR NEW.`hidden` = 1)→0»',
  }),
  ...inFile('app/store/log/stock-after.server.ts', tests('operations/shop-emails'), {
    'the stock falls to the threshold without an email': '«<=→<» low_stock_threshold',
    'each order below the threshold sends an email': '« AND ${stockAfter} - event.stock_delta > low_stock_threshold→»',
    'an email tells the stock of now': '« AND later.id > event.id→»',
  }),
  ...inFile(
    'app/store/orders/order-emails.server.ts',
    [
      'app/db/schema.server.test.ts',
      ...tests('operations/shop-emails', 'ordering/order-limits', 'accounts/password-reset'),
    ],
    {
      'the shop gets emails that it does not want': "« AND (SELECT order_emails FROM shop_settings) = 'each'→»",
      'a shipped order sends no email': "emailedEvents = ['order placed', 'order paid', «'order shipped', →»",
      'the second refund of an order sends no email':
        "« || iif(event.event = 'refund made', ':' || event.about_id, '')→»",
      'orders are mailed to unverified addresses': '(«users.email_verified_at <= event.at→1» OR',
      'the attacker’s order is mailed to the owner': "('account «recovery', 'account →»closed')",
    },
  ),
  ...inFile('app/store/log/reader.server.ts', tests('operations/run-readers'), {
    'an event is read twice': 'SET read_id = «until_id→read_id»',
    'an event is skipped': 'ORDER BY id LIMIT ${eventsAtOnce})«→ + 1»',
  }),
  ...inFile('app/store/ordering/remind-of-holds.server.ts', [], {
    'who has cancelled is reminded to pay': "«orders.state = 'unpaid' AND →»orders.hold_until >",
    'a hold that is over is reminded of': '«orders.hold_until > ${at} AND →»',
    'an unverified customer is reminded': '«users.email_verified_at IS NOT NULL AND →»',
    'a short hold is reminded of at once':
      '«AND orders.hold_until - (orders.hold_until - orders.created_at) / ${share} <= ${at}→»',
  }),
  ...inFile('app/store/reviews/review-emails.server.ts', [], {
    'a refunded order is asked about': '« AND orders.refunded_cents = 0→»',
    'who wants no emails about reviews gets them': 'AND «users.review_email_after <= ${at}→true»',
    'the link ends everybody’s emails about reviews': 'reviewEmailAfter: null })«.where(eq(users.id, id))→»',
  }),
  ...inFile('app/store/operations/shop-emails.server.ts', [], {
    'a daily summary comes unasked': "«(SELECT order_emails FROM shop_settings WHERE id = 1) = 'daily'\n    AND →»",
    'the same choice is recorded twice': "«\n      WHERE change <> ''→»",
  }),
  ...inFile(schema, ['app/db/schema.server.test.ts'], {
    'a shipped order can be cancelled': "OLD.`state` «= 'unpaid'→<> 'paid'» AND NEW.`state` IN",
    'an actor is not recorded': "'order ' || NEW.`state`, «NEW.`moved_by`→'shop'»",
    'a cancelled order keeps its stock': "iif(NEW.`state` = '«cancelled→none»', NEW.`quantity`",
    'a paid order has no payment in the log': "iif(NEW.`state` = '«paid→none»', NEW.`transaction_id`",
    'a cancelled order can be paid': "WHERE `id` = NEW.`order_id`« AND `state` = 'unpaid'→»)",
    'a paid order’s moment can be changed': 'BEFORE UPDATE OF `transaction_id`«, `paid_at`→»',
    'the payment of an order is refunded':
      'WHEN EXISTS (SELECT 1 FROM `orders` WHERE `transaction_id` = NEW.`«transaction_id→order_id»`)',
    'stock returns to every instrument': '«WHERE `id` = NEW.`instrument_id`→»;',
  }),
  ...inFile(schema, ['app/db/schema.server.test.ts'], {
    'an order whose payment is opening is cancelled': "`order_id` = OLD.`id` AND `state` «<> 'closed'→= 'open'»",
  }),
  ...inFile(
    schema,
    [
      'app/db/schema.server.test.ts',
      'app/store/ordering/order-limits.server.test.ts',
      'app/store/accounts/password-reset.server.test.ts',
      'app/store/privacy/close-account.server.test.ts',
    ],
    {
      'a hold can be made longer': ', `created_at`, `«hold_until`, `→»quote_id`, `discount_code`',
      'the email of an order changes while its account is open':
        " IS NULL«→ AND 0»\nBEGIN\n  SELECT RAISE(ABORT, 'the terms",
      'the last admin closes the account': "« AND `role` = 'admin' AND `email_verified_at` IS NOT NULL→»\n",
      'an account with an unpaid order is closed': "`state` = 'unpaid' AND «`customer_id` = OLD.`id`→0»",
    },
  ),
  ...inFile('app/store/ordering/order-limits.server.ts', [], {
    'an unpaid order too many': "«>=→>» ${limit('unpaidOrders')}",
    'a piece too many': "+ ${quantity} > «→1 + »${limit('unpaidPieces')}",
    'an order too many in a quarter of an hour': "«>=→>» ${limit('ordersPerQuarterHour')}",
    'cancelled orders do not count for the rate': "created_at > ${at - quarterHour}«→ AND state = 'unpaid'»)",
    'an unverified customer holds all of an instrument': '* «${unverifiedShare.share}→1»',
    'the minimum order is above the share': 'max(${unverifiedShare.pieces},« i.min_quantity,→»',
    'an address holds an order too many': '«>=→>» ${unverifiedIpLimits.unpaidOrders}',
    'verified customers count for the address':
      '«CASE WHEN u.email_verified_at IS NULL THEN ${await hashSecret(ip)} END→${await hashSecret(ip)}»',
    'a replacement renews the hold': '«(SELECT min(hold_until) FROM orders WHERE ${replaced})→NULL»',
    'IP addresses of unpaid orders are forgotten': "« AND state <> 'unpaid'→»",
  }),
  ...inFile('app/store/reviews/reviews.server.ts', [], {
    'a stranger’s review is on the home page': '«AND email_verified_at IS NOT NULL→»',
    'an unpaid order earns a place on the home page': "IN ('paid', 'shipped'«→, 'unpaid'»)",
  }),
  ...inFile(schema, ['app/db/schema.server.test.ts'], {
    'a refund is undone twice': '«OLD."failed_at" IS NOT NULL OR →»NEW."failed_at" IS NULL\n',
    'a refund changes its sum': '« OR NEW.`amount_cents` <> OLD.`amount_cents`→»\n',
    'a refund loses its id': '\n  OR NEW.`refund_id` «IS NOT→<>» OLD.`refund_id`',
  }),
]
