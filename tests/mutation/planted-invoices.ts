import { inFile, schema, type PlantedBug } from './planted-bug'

const tests = ['app/store/orders/receipts/invoices.server.test.ts']

export const plantedInvoices: PlantedBug[] = [
  ...inFile(schema, tests, {
    'an invoice takes its number from a counter that a payment which fails moves on':
      "SELECT `invoice_series`, «1 + (SELECT coalesce(max(`number`), 0) FROM `invoices` WHERE `series` = `invoice_series`)→(SELECT count(*) FROM `audit_log` WHERE `event` = 'order placed')»,",
    'an unpaid order gets an invoice': '« AND `transaction_id` IS NOT NULL→»)\nBEGIN',
    'an invoice has the first seller for ever': '(SELECT «max→min»(`id`) FROM `sellers`)',
    'a refund has a credit note while it is owed':
      'WHERE `invoices`.`order_id` = NEW.`order_id`« AND NEW.`refund_id` IS NOT NULL→»;',
    'the credit note of a failed refund stays':
      '`order_id`, `order_refund_id`, 1, -`amount_cents`, NEW.`failed_at`\n    FROM «→(SELECT * FROM `credit_notes` WHERE false) AS »`credit_notes`',
    'the buyer of an invoice can change':
      'AND NEW.`«buyer_name` = OLD.`buyer_name`\n      AND NEW.`buyer_address→buyer_address»` = OLD',
  }),
  ...inFile('app/store/orders/receipts/invoices.server.ts', tests, {
    'anybody reads an invoice': "«may(user, 'books') ? undefined : eq(orders.customerId, user.id)→undefined»",
    'each payment stores a seller': 'AND name «=→<>» ${name} AND',
  }),
]
