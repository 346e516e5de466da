import { dropSchemaObject, rewriteTrigger, type Planted } from './planting'

export const plantedInvoices: Planted[] = [
  {
    name: 'a number of an invoice is left out',
    guards: [
      dropSchemaObject('TRIGGER', 'invoices_are_consecutive'),
      rewriteTrigger('orders_get_an_invoice', '1 + (SELECT', '(NEW.`quantity` > 1) + 1 + (SELECT'),
    ],
  },
  {
    name: 'a number of an invoice is given twice',
    guards: [
      dropSchemaObject('TRIGGER', 'invoices_are_consecutive'),
      dropSchemaObject('INDEX', 'invoices_number'),
      rewriteTrigger('orders_get_an_invoice', 'coalesce(max(`number`), 0)', 'coalesce(max(`number`) / 2, 0)'),
    ],
  },
  { name: 'a paid order has no invoice', guards: [dropSchemaObject('TRIGGER', 'orders_get_an_invoice')] },
  {
    name: 'a refund made at Stripe has no credit note',
    guards: [
      rewriteTrigger(
        'audit_log_issues_credit_notes',
        "NEW.`event` = 'refund made'",
        "NEW.`event` = 'refund made' AND NEW.`actor` <> 'stripe'",
      ),
    ],
  },
  {
    name: 'credit notes have another amount than their refunds',
    guards: [
      dropSchemaObject('TRIGGER', 'credit_notes_are_consecutive'),
      rewriteTrigger('audit_log_issues_credit_notes', '`amount_cents`, NEW', '`amount_cents` + 1, NEW'),
    ],
  },
]
