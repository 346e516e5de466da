import type { PlantedBug } from './planted'

type Bug = [name: string, from: string, to: string]

/** Bugs of one file, which these tests must see. */
const inFile = (file: string, tests: string[], ...bugs: Bug[]): PlantedBug[] =>
  bugs.map(([name, from, to]) => ({ name, file, from, to, tests }))

const tests = (...names: string[]) => names.map((name) => `app/store/${name}.server.test.ts`)

/** Bugs with money, stock, orders, letters and lists. */
export const plantedOrders: PlantedBug[] = [
  ...inFile(
    'app/store/payments/confirm-payment.server.ts',
    tests('payments/confirm-payment'),
    [
      'a payment that can no longer be stopped is taken for stopped',
      `if (remote.state === 'open') return 'in-progress'`,
      '',
    ],
    ['a currency that nobody looks at', `\${currency} = 'usd' AND `, ''],
    ['any customer’s payment pays', `eq(orders.customerId, payment.customerId ?? '')`, 'undefined'],
    ['a payment for another order pays', ` AND \${payment.orderId} = \${orderId}`, ''],
    ['any sum pays', 'eq(orders.totalCents, amountCents)', 'undefined'],
    ['who made an order paid is not recorded', `movedBy: 'stripe'`, `movedBy: ''`],
    ['a payment that pays another order is taken for this one’s', 'return paidBy[0]?.id === orderId', 'return true'],
    [
      'a payment that pays an order is sent back as well',
      'if (paidBy.length === 0) await refundPayment',
      'await refundPayment',
    ],
    [
      'what an unknown payment pays stays payable',
      'if (await markPaid(deps, orderId, payment)) await expirePayment(deps, orderId)',
      'await markPaid(deps, orderId, payment)',
    ],
    ['another shop’s money is sent back', 'if (existing.length === 0) return', ''],
    ['an attempt that is over is never closed', 'await closeAttempt(deps, attempt)\n  return paid', 'return paid'],
    ['an open payment is given up by a look at it', `if (remote.state === 'open') return 'not-paid'`, ''],
    ['an open payment is concluded', `if (remote.state === 'open') return\n`, '\n'],
  ),
  ...inFile(
    'app/store/payments/attempts.server.ts',
    tests('payments/attempts'),
    ['an attempt is never given up', 'return now() > createdAt + openingTtl', 'return false'],
    ['an attempt is given up at once', 'return now() > createdAt + openingTtl', 'return true'],
    ['the cron starves those that wait longest', 'ORDER BY ask_at LIMIT', 'ORDER BY ask_at DESC LIMIT'],
    ['the cron looks at the same ones again and again', 'SET ask_at = ${at} + max(', 'SET ask_at = ${at} * 0 + max('],
    ['the cron waits longer than six hours', 'min(${maxInterval}, ', 'max(${maxInterval}, '],
    [
      'a tab closes what another one has opened',
      `attempt.state === 'opening' ? eq(paymentAttempts.state, 'opening') : undefined`,
      'undefined',
    ],
    [
      'an attempt that was given up is opened',
      `.where(and(isAttempt(attempt), eq(paymentAttempts.state, 'opening')))`,
      '.where(isAttempt(attempt))',
    ],
    [
      'closing one attempt closes every order’s first',
      'return and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.attempt, attempt))',
      'return eq(paymentAttempts.attempt, attempt)',
    ],
    [
      'a checkout stays open for two minutes',
      'const checkoutTtl = 2 * 60 * 60 * 1000',
      'const checkoutTtl = 2 * 60 * 1000',
    ],
  ),
  ...inFile(
    'app/store/payments/payments.server.ts',
    tests('payments/attempts'),
    [
      'what was opened for a cancelled order stays payable',
      'await callProvider(() => deps.payments.close(attempt.kind, opened.id))',
      '',
    ],
    [
      'an attempt with a final answer is kept',
      `if (error.final && attempt.state === 'opening')`,
      `if (!error.final && attempt.state === 'opening')`,
    ],
    [
      'an order that is on its way to be paid gets a second payment',
      `if (outcome === 'in-progress') throw paymentInProgress()`,
      '',
    ],
  ),
  ...inFile(
    'app/store/ordering/cancel-order.server.ts',
    tests('ordering/cancel-order'),
    ['anybody cancels by email', `if (caller.email !== email && caller.role !== 'admin')`, 'if (false as boolean)'],
    ['every call says that it has cancelled the order', 'if (!current) return false', 'if (!current) return true'],
    [
      'an admin cancels the order of another than named',
      'if (order.customerId !== customer.id)',
      'if (false as boolean)',
    ],
    [
      'the admin who cancels is not recorded',
      'await cancelOrder(deps, customer, orderId, caller)',
      'await cancelOrder(deps, customer, orderId)',
    ],
    ['the cache is not told of a cancellation', `deps.invalidate('stock')`, ''],
    ['of several orders any one is cancelled', 'if (unpaid.length > 1)', 'if (unpaid.length > 2)'],
  ),
  ...inFile(
    'app/store/ordering/place-order.server.ts',
    tests('ordering/place-order'),
    ['the cache is not told of an order', `deps.invalidate('stock')`, ''],
    ['a submission with another address is the same', '    order.customerAddress === input.customerAddress &&\n', ''],
    [
      'another customer’s submission is found',
      'and(eq(orders.customerId, customer.id), eq(orders.submissionId, submissionId))',
      'eq(orders.submissionId, submissionId)',
    ],
    ['a claimed total is not looked at', `'customerEmail', 'totalCents'] as const`, `'customerEmail'] as const`],
    ['a card pays a cent more than it can', 'total > maxTotalCents', 'total > maxTotalCents + 1'],
    ['forty-nine cents are said to be payable', 'const minTotalCents = 50', 'const minTotalCents = 49'],
    ['a hold has no end', 'holdMs > 0 ? at + holdMs : null', 'null'],
    [
      'a million and one pieces are ordered',
      '.max(1_000_000, { error: aboveStock })',
      '.max(1_000_001, { error: aboveStock })',
    ],
  ),
  ...inFile(
    'app/store/ordering/holds.server.ts',
    tests('ordering/holds', 'ordering/place-order'),
    ['more gives way than is needed', 'if (missing <= 0 || timeouts', 'if (timeouts'],
    [
      'the newest hold gives way first',
      '(one.holdUntil ?? 0) - (other.holdUntil ?? 0)',
      '(other.holdUntil ?? 0) - (one.holdUntil ?? 0)',
    ],
    ['a paid hold gives way', `if (outcome !== 'expired') continue\n    released`, 'released'],
    ['the cron starves all but the first hold', '.orderBy(sql`random()`)', '.orderBy(asc(orders.holdUntil))'],
    ['a hold that cannot be released keeps the others', 'deps.report(`releasing ${id}`, error)', 'throw error'],
    [
      'who released a hold is not recorded',
      '{ ids: released, actor: holdExpiry,',
      '{ ids: released, actor: customerId,',
    ],
  ),
  ...inFile(
    'app/store/payments/refunds.server.ts',
    tests('payments/refunds'),
    ['a refund that fails keeps the others waiting', '.orderBy(sql`random()`)', ''],
    ['a refund that is made is made again', '.where(isNull(refunds.refundId))', ''],
    [
      'money that is owed is told each time',
      'WHERE NOT EXISTS (SELECT 1 FROM refunds WHERE transaction_id = ${transactionId})',
      'WHERE true',
    ],
    ['a refund that arrived is told as undone', '!refund || !(await payments.isRefundFailed(refundId))', '!refund'],
  ),
  ...inFile(
    'app/store/payments/webhook-events.server.ts',
    tests('payments/confirm-payment'),
    ['an event is handled twice', 'if (seen.length > 0) return', ''],
    [
      'an event that failed is taken for handled',
      'const { about } = event\n',
      'const { about } = event\n  await db.insert(webhookEvents).values({ id: event.id, type: event.type, receivedAt: now() })\n',
    ],
    ['events are forgotten while they may still come', '40 * 24', '4 * 24'],
  ),
  ...inFile(
    'app/store/deliver-email.server.ts',
    tests('deliver-email'),
    ['a mailed link stays readable', `sentAt: now(), text: '', html: '' `, 'sentAt: now() '],
    ['the newest letter goes first', '.orderBy(asc(emails.dueAt))', '.orderBy(sql`${emails.dueAt} DESC`)'],
    [
      'a letter is tried once more than so often',
      'lt(emails.attempts, maxAttempts)',
      'lte(emails.attempts, maxAttempts)',
    ],
    ['a letter that fails ends the run', '      continue\n', '      break\n'],
    ['a letter that fails is due at once', 'dueAt: sql`${at} + ${claimTtl} *', 'dueAt: sql`${at} + 0 *'],
  ),
  ...inFile(
    'app/store/orders/orders.server.ts',
    tests('orders/orders'),
    [
      'a cancelled order is found',
      `eq(orders.customerId, customer.id), ne(orders.state, 'cancelled')))\n  return rows[0]`,
      'eq(orders.customerId, customer.id)))\n  return rows[0]',
    ],
    ['an admin reads where only the customer may', `(admins && caller.role === 'admin')`, `caller.role === 'admin'`],
    ['anybody lists anybody’s orders', `if (caller.role !== 'admin') throw`, 'if (false as boolean) throw'],
    ['who shipped an order is not recorded', 'movedBy: admin.id', `movedBy: 'admin'`],
    ['what is not paid is shipped', `and(eq(orders.id, orderId), eq(orders.state, 'paid'))`, 'eq(orders.id, orderId)'],
  ),
  ...inFile(
    'app/store/pagination.ts',
    tests('orders/orders', 'catalog/instruments'),
    ['a full last page claims a next', 'rows.length > limit', 'rows.length >= limit'],
    ['a page is one too long', 'rows.slice(0, limit)', 'rows.slice(0, limit + 1)'],
    ['no page claims a next', 'return limit + 1', 'return limit'],
  ),
  ...inFile('app/store/pagination.server.ts', tests('orders/orders'), [
    'rows of the same moment are left out between pages',
    'sql`(${time}, ${id}) ${sql.raw(direction)} (SELECT ${time}, ${id} FROM',
    'sql`${time} ${sql.raw(direction)} (SELECT ${time} FROM',
  ]),
  ...inFile(
    'app/store/payments/start-payment.server.ts',
    tests('payments/start-payment'),
    ['another’s order is paid by its price', 'eq(orders.customerId, caller.id), isUnpaid', 'isUnpaid'],
    ['the price that was shown is not looked at', 'if (order.totalCents !== orderPrice)', 'if (false as boolean)'],
    ['any transaction id is believed', 'if (after.transactionId !== transactionId)', 'if (false as boolean)'],
    ['the provider’s silence is told as not paid', `if (result === 'provider-away')`, 'if (false as boolean)'],
  ),
  ...inFile(
    'app/store/catalog/update-instrument.server.ts',
    tests('catalog/manage-instruments'),
    ['the cache is not told of a change', `deps.invalidate('catalogue')`, ''],
    ['a stale form writes over another’s change of the picture', '    eq(instruments.img, img),\n', ''],
    [
      'the shelf is filled over what may come back',
      `o.state = 'unpaid' AND o.instrument_id`,
      `o.state = 'paid' AND o.instrument_id`,
    ],
    ['stock moves though nothing was changed', ' AND changes() = 1', ''],
  ),
  ...inFile(
    'app/store/catalog/manage-instruments.server.ts',
    tests('catalog/manage-instruments'),
    ['the cache is not told of an instrument that is gone', `  invalidate('catalogue')\n}`, '}'],
    ['an instrument is removed twice in the audit log', ' AND removed_at IS NULL', ''],
    [
      'who listed an instrument is not recorded',
      `    actor,\n    instrumentId: id,`,
      `    actor: 'shop',\n    instrumentId: id,`,
    ],
  ),
  ...inFile(
    'app/store/catalog/instruments.server.ts',
    tests('catalog/instruments'),
    ['a hold is over a moment too late', 'o.hold_until <= ${at}', 'o.hold_until < ${at}'],
    ['a percent sign in a search finds everything', `word.replace(/[\\\\%_]/g, '\\\\$&')`, 'word'],
    ['of two that are called so the first is taken', 'if (rows.length === 1)', 'if (rows.length >= 1)'],
  ),
  ...inFile(
    'app/store/scheduled-tasks.server.ts',
    tests('scheduled-tasks'),
    ['the cron ends at the first failure', 'if (database.isOpen) break', 'if (errors.length > 0) break'],
    ['the cron waits for every silence', 'if (database.isOpen) break', ''],
    ['the cron takes on one more', 'const batchSize = 40', 'const batchSize = 41'],
    ['refunds that are owed are forgotten', '    () => retryRefunds(deps, batchSize, provider),\n', ''],
  ),
  ...inFile('app/store/circuit-breaker.ts', tests('scheduled-tasks'), [
    'a silence is one of more than five seconds',
    'this.now() - startedAt >= timeout',
    'this.now() - startedAt > timeout',
  ]),
  ...inFile('app/store/dashboard.server.ts', tests('orders/orders'), [
    'everybody’s orders stand on the dashboard',
    'and(eq(orders.customerId, user.id), ne(',
    'and(ne(',
  ]),
  ...inFile('app/store/orders/receipts.server.ts', tests('orders/orders'), [
    'an unpaid order has a receipt',
    'isPaid(order) ?',
    'order ?',
  ]),
  ...inFile(
    'app/store/orders/order-emails.server.ts',
    tests('orders/order-emails'),
    ['a letter that comes late asks to pay what is paid', `if (order.state !== 'unpaid')`, 'if (false as boolean)'],
    [
      'a customer’s own cancellation is told as the shopkeeper’s',
      'if (actor === customerId)',
      'if (actor !== customerId)',
    ],
    [
      'a refund is told with the order’s total',
      'refundCents ?? order.totalCents)} reached',
      'order.totalCents)} reached',
    ],
  ),
  ...inFile(
    'app/gateways/stripe.server.ts',
    ['app/gateways/stripe.server.test.ts'],
    [
      'an intent in another currency',
      `amount: order.totalCents,\n            currency: 'usd'`,
      `amount: order.totalCents,\n            currency: 'eur'`,
    ],
    [
      'every attempt has the same key',
      'idempotencyKey: `intent:${order.id}:${attempt}`',
      'idempotencyKey: `intent:${order.id}`',
    ],
    ['a refund that failed counts as made', `status === 'failed' || status === 'canceled'`, `status === 'canceled'`],
    ['a part that was sent back is taken for all', 'refundedCents >= amountCents', 'refundedCents > 0'],
    ['a checkout that is paid and not captured counts as paid', ` && intent.status === 'succeeded'`, ''],
    ['an answer of something between us and Stripe is final', '    error.statusCode === undefined ||\n', ''],
    [
      'an answer that came too soon is taken for final',
      '    error instanceof Stripe.errors.StripeRateLimitError ||\n',
      '',
    ],
    [
      'a forged event is an error of ours',
      'if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null',
      '',
    ],
  ),
  ...inFile(
    'app/gateways/resend.server.ts',
    ['app/gateways/resend.server.test.ts'],
    ['a letter may go out twice', `          'idempotency-key': id,\n`, ''],
    [
      'a letter that is just being sent is taken for sent',
      `reason.includes('"invalid_idempotent_request"')`,
      `reason !== ''`,
    ],
    ['a letter that was refused is taken for sent', 'if (response.ok) return', 'if (response.status !== 409) return'],
    ['the shop does not say who it is', `          'user-agent': userAgent,\n`, ''],
    ['a message cannot be answered', '...(replyTo && { reply_to: replyTo }), ', ''],
  ),
  ...inFile(
    'migrations/0001_stock_and_journal.sql',
    ['app/db/schema.server.test.ts'],
    ['an instrument off sale is sold', 'AND `removed_at` IS NULL ', ''],
    [
      'a shipped order can be cancelled',
      "OLD.`state` = 'unpaid' AND NEW.`state` IN",
      "OLD.`state` <> 'paid' AND NEW.`state` IN",
    ],
    [
      'an actor is not recorded',
      "NEW.`shipped_at`, 'order shipped', NEW.`moved_by`",
      "NEW.`shipped_at`, 'order shipped', 'shop'",
    ],
    [
      'a cancelled order can be paid',
      "WHERE `id` = NEW.`order_id` AND `state` = 'unpaid')",
      'WHERE `id` = NEW.`order_id`)',
    ],
    [
      'a paid order’s moment can be changed',
      'BEFORE UPDATE OF `transaction_id`, `paid_at`',
      'BEFORE UPDATE OF `transaction_id`',
    ],
    [
      'a payment that pays is sent back',
      'WHEN EXISTS (SELECT 1 FROM `orders` WHERE `transaction_id` = NEW.`transaction_id`)',
      'WHEN EXISTS (SELECT 1 FROM `orders` WHERE `transaction_id` = NEW.`order_id`)',
    ],
    ['pieces come back to every shelf', 'WHERE `id` = NEW.`instrument_id`;', ';'],
  ),
  ...inFile(
    'migrations/0003_journal_writes_letters.sql',
    ['app/db/schema.server.test.ts'],
    [
      'an order that is being opened for payment is cancelled',
      "`order_id` = OLD.`id` AND `state` <> 'closed'",
      "`order_id` = OLD.`id` AND `state` = 'open'",
    ],
    ['a shipped order is not told', `'order shipped', `, ''],
    [
      'the second refund of an order is not told',
      "CASE NEW.`event` WHEN 'refund made' THEN ':' || NEW.`note` ELSE '' END",
      "''",
    ],
    ['a hold can be made longer', ', `created_at`, `hold_until` ON', ', `created_at` ON'],
  ),
  ...inFile(
    'migrations/0007_refunds_that_fail_later.sql',
    ['app/db/schema.server.test.ts'],
    ['a refund is undone twice', 'OLD.`undone_at` IS NOT NULL OR ', ''],
    ['a refund changes its sum', ' OR NEW.`amount_cents` <> OLD.`amount_cents`', ''],
    ['a refund loses its id', 'NEW.`refund_id` IS NOT OLD.`refund_id`', 'NEW.`refund_id` <> OLD.`refund_id`'],
  ),
]
