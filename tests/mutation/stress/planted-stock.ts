import { reworded, rewritten, without, type Planted } from './planting'
import type { Tampering } from '../../stress/test-environment'

const cancelling = /^update "orders" set "state" = \?, "cancelled_at"/

/** Bugs with stock and orders. */
export const plantedStock: Planted[] = [
  { name: 'an order takes no pieces', walls: [without('TRIGGER', 'orders_hold_stock')] },
  {
    name: 'more is sold than there is, and the stock stops at nothing',
    walls: [
      rewritten('orders_begin_unpaid', 'BETWEEN `min_quantity` AND `available_quantity`', '>= `min_quantity`'),
      rewritten(
        'journal_moves_stock',
        '`available_quantity` + NEW.`stock_delta`',
        'max(0, `available_quantity` + NEW.`stock_delta`)',
      ),
    ],
  },
  {
    name: 'the last piece is never sold',
    walls: [rewritten('orders_begin_unpaid', 'AND `available_quantity`', 'AND `available_quantity` - 1')],
  },
  {
    name: 'the minimum is not looked at',
    walls: [rewritten('orders_begin_unpaid', 'BETWEEN `min_quantity`', 'BETWEEN 1')],
  },
  {
    name: 'the price is what the client says',
    walls: [rewritten('orders_begin_unpaid', '`price_cents` = NEW.`unit_price_cents`', '1')],
  },
  { name: 'a form that is sent again makes another order', walls: [without('INDEX', 'orders_once')] },
  { name: 'cancelling gives nothing back', walls: [without('TRIGGER', 'orders_give_stock_back')] },
  {
    name: 'cancelling gives back beside the audit log',
    walls: [
      rewritten(
        'orders_give_stock_back',
        /BEGIN[\s\S]*END/,
        'BEGIN UPDATE `instruments` SET `available_quantity` = `available_quantity` + NEW.`quantity` WHERE `id` = NEW.`instrument_id`; END',
      ),
    ],
  },
  {
    name: 'cancelling twice gives back twice',
    walls: [
      without('TRIGGER', 'orders_move_forward'),
      // Two letters about it would be a second wall.
      rewritten('journal_writes_letters', 'INSERT INTO', 'INSERT OR IGNORE INTO'),
    ],
    worker: (_stand, strike) => reworded(cancelling, `+"orders"."state" = 'unpaid'`, 'TRUE', strike),
  },
  {
    name: 'what nobody paid for is shipped',
    walls: [without('TRIGGER', 'orders_move_forward')],
    worker: (_stand, strike) => ({
      db: {
        rewrite: ({ sql, args }) => {
          if (!sql.startsWith('update "orders" set "state" = ?, "shipped_at"')) return { sql, args }
          strike()
          const paid = `set "transaction_id" = coalesce("transaction_id", 'none'), "paid_at" = coalesce("paid_at", 1), `
          return { sql: sql.replace('set ', paid).replace('"orders"."state" = ?', '? IS NOT NULL'), args }
        },
      },
    }),
  },
  { name: 'a payment is told twice', walls: [rewritten('orders_paid', /(INSERT INTO[\s\S]*?;)/, '$1 $1')] },
  {
    name: 'an order is acknowledged, and not written',
    worker: (_stand, strike) => notDone(/^INSERT INTO orders/, 3, strike),
  },
  {
    name: 'a cancellation is acknowledged, and not written',
    worker: (_stand, strike) => notDone(cancelling, 1, strike),
  },
]

/** Every so many of such statements answers as if it had been run. */
function notDone(statement: RegExp, every: number, strike: () => void): Tampering {
  let count = 0
  return {
    db: {
      rewrite: ({ sql, args }) => {
        if (!statement.test(sql.trim()) || ++count % every !== 0) return { sql, args }
        strike()
        // It changes a row, so that whoever asks how many were changed hears of one.
        return { sql: `UPDATE users SET name = name WHERE id = 'customer-1'`, args: [] }
      },
    },
  }
}
