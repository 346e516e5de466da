import { rewriteSql, rewriteTrigger, type Planted } from './planting'

const placing = /^INSERT INTO orders/

/** The trigger and the statement of the order have the same terms: each bug is in both. */
export const plantedDiscounts: Planted[] = [
  {
    name: 'a code is used more often than it may be, and its count stops there',
    guards: [
      rewriteTrigger('orders_begin_unpaid', 'coalesce(`uses` < `max_uses`, 1)', '1'),
      rewriteTrigger(
        'orders_hold_stock',
        '`uses` = `uses` + 1',
        '`uses` = min(`uses` + 1, ifnull(`max_uses`, `uses` + 1))',
      ),
    ],
    worker: (_stand, onHit) => rewriteSql(placing, '>= d.max_uses THEN', '> 99 + d.max_uses THEN', onHit),
  },
  {
    name: 'a customer uses a code more often than they may',
    guards: [rewriteTrigger('orders_begin_unpaid', ') < `max_uses_per_customer`', ') < 99 + `max_uses_per_customer`')],
    worker: (_stand, onHit) =>
      rewriteSql(placing, '>= d.max_uses_per_customer THEN', '> 99 + d.max_uses_per_customer THEN', onHit),
  },
  {
    name: 'a cancelled order keeps its use of the code',
    guards: [rewriteTrigger('orders_give_stock_back', '`uses` = `uses` - 1', '`uses` = `uses`')],
  },
  {
    name: 'every code takes off volume prices too',
    guards: [rewriteTrigger('orders_begin_unpaid', 'iif(`combines`', 'iif(1')],
    worker: (_stand, onHit) => rewriteSql(placing, /iif\(d\.combines/g, 'iif(1', onHit),
  },
  {
    name: 'a part of a cent of a percentage is lost',
    guards: [rewriteTrigger('orders_begin_unpaid', '`percent` + 99)', '`percent` + 50)')],
    worker: (_stand, onHit) => rewriteSql(placing, /d\.percent \+ 99\)/g, 'd.percent + 50)', onHit),
  },
  {
    name: 'a code counts for every instrument',
    guards: [rewriteTrigger('orders_begin_unpaid', "`its`.`instruments` = '[]' AND `families` = '[]'", '1')],
    worker: (_stand, onHit) => rewriteSql(placing, "d.instruments || d.families <> '[][]'", '0', onHit),
  },
  {
    name: 'a code that has ended still counts',
    guards: [rewriteTrigger('orders_begin_unpaid', ' AND `ended_at` IS NULL', '')],
    worker: (_stand, onHit) => rewriteSql(placing, 'd.ended_at IS NOT NULL', '0', onHit),
  },
]
