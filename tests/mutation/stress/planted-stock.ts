import { rewriteSql, rewriteTrigger, dropSchemaObject, type Planted } from './planting'
import type { Tampering } from '../../stress/test-environment'

const cancelling = /^update "orders" set "state" = \?, "cancelled_at"/

export const plantedStock: Planted[] = [
  { name: 'an order takes no pieces', guards: [dropSchemaObject('TRIGGER', 'orders_hold_stock')] },
  {
    name: 'the shop oversells, and the stock stops at zero',
    guards: [
      rewriteTrigger('orders_begin_unpaid', 'BETWEEN `min_quantity` AND `available_quantity`', '>= `min_quantity`'),
      rewriteTrigger(
        'journal_moves_stock',
        '`available_quantity` + NEW.`stock_delta`',
        'max(0, `available_quantity` + NEW.`stock_delta`)',
      ),
    ],
  },
  {
    name: 'the last piece is never sold',
    guards: [rewriteTrigger('orders_begin_unpaid', 'AND `available_quantity`', 'AND `available_quantity` - 1')],
  },
  {
    name: 'the minimum is not checked',
    guards: [rewriteTrigger('orders_begin_unpaid', 'BETWEEN `min_quantity`', 'BETWEEN 1')],
  },
  {
    name: 'the price is what the client says',
    guards: [rewriteTrigger('orders_begin_unpaid', '= NEW.`quantity` * CASE', '> 0 * CASE')],
  },
  {
    name: 'a price break begins one piece late',
    guards: [rewriteTrigger('orders_begin_unpaid', '<= NEW.`quantity`', '< NEW.`quantity`')],
    worker: (_stand, onHit) => rewriteSql(/^INSERT INTO orders/, `value ->> 'from' <= `, `value ->> 'from' < `, onHit),
  },
  { name: 'a form that is sent again makes another order', guards: [dropSchemaObject('INDEX', 'orders_once')] },
  { name: 'cancelling gives nothing back', guards: [dropSchemaObject('TRIGGER', 'orders_give_stock_back')] },
  {
    name: 'cancelling returns stock outside the audit log',
    guards: [
      rewriteTrigger(
        'orders_give_stock_back',
        /BEGIN[\s\S]*END/,
        'BEGIN UPDATE `instruments` SET `available_quantity` = `available_quantity` + NEW.`quantity` WHERE `id` = NEW.`instrument_id`; END',
      ),
    ],
  },
  {
    name: 'cancelling twice returns the stock twice',
    guards: [
      dropSchemaObject('TRIGGER', 'orders_move_forward'),
      // A second email about it would fail another invariant as well.
      rewriteTrigger('audit_log_enqueues_emails', 'INSERT INTO', 'INSERT OR IGNORE INTO'),
    ],
    worker: (_stand, onHit) => rewriteSql(cancelling, `+"orders"."state" = 'unpaid'`, 'TRUE', onHit),
  },
  {
    name: 'an unpaid order is shipped',
    guards: [dropSchemaObject('TRIGGER', 'orders_move_forward')],
    worker: (_stand, onHit) => ({
      db: {
        rewrite: ({ sql, args }) => {
          if (!sql.startsWith('update "orders" set "state" = ?, "shipped_at"')) return { sql, args }
          onHit()
          const paid = `set "transaction_id" = coalesce("transaction_id", 'none'), "paid_at" = coalesce("paid_at", 1), `
          return { sql: sql.replace('set ', paid).replace('"orders"."state" = ?', '? IS NOT NULL'), args }
        },
      },
    }),
  },
  { name: 'a payment is logged twice', guards: [rewriteTrigger('orders_paid', /(INSERT INTO[\s\S]*?;)/, '$1 $1')] },
  {
    name: 'an order is acknowledged and not written',
    worker: (_stand, onHit) => skipStatements(/^INSERT INTO orders/, 3, onHit),
  },
  {
    name: 'a cancellation is acknowledged and not written',
    worker: (_stand, onHit) => skipStatements(cancelling, 1, onHit),
  },
]

function skipStatements(statement: RegExp, every: number, onHit: () => void): Tampering {
  let count = 0
  return {
    db: {
      rewrite: ({ sql, args }) => {
        if (!statement.test(sql.trim()) || ++count % every !== 0) return { sql, args }
        onHit()
        // It changes one row, so the caller counts one change.
        return { sql: `UPDATE users SET name = name WHERE id = 'customer-1'`, args: [] }
      },
    },
  }
}
