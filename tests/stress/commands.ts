import fc from 'fast-check'
import { cards, type Kind } from './card'
import type { By, Command } from './command'
import { buy, cancel, returnFromPayment, order, pay, refund, refundElsewhere, ship, start } from './customer-commands'
import { grants, makeKey, readByKey, refundByKey, revokeKey, shipByKey, stockByKey } from './key-commands'
import { edit, moderate, readRating, review, reviewBought } from './review-commands'
import {
  deliver,
  crash,
  cron,
  endCode,
  makeAdmin,
  reduce,
  remove,
  reprice,
  restock,
  revokeAdmin,
  wait,
} from './shop-commands'
import { employ, readBooks } from './staff-commands'

const small = fc.nat({ max: 7 })
const which = fc.nat({ max: 1 })
const by = fc.constantFrom<By[]>(0, 1, 2, 2)
const orders = fc
  .tuple(fc.nat({ max: 2 }), which, fc.integer({ min: 1, max: 3 }), fc.boolean())
  .map(([customer, one, quantity, instead]) => order(customer, one, quantity, { instead }))

const ordersWithCodes = fc
  .tuple(fc.nat({ max: 2 }), which, fc.integer({ min: 1, max: 3 }), fc.boolean(), fc.nat({ max: 2 }))
  .map(([customer, one, quantity, instead, code]) => order(customer, one, quantity, { instead, code }))

const sales = fc
  .tuple(which, fc.constantFrom(1, 2, 9_99, 50_00), fc.constantFrom(0, 0, 1, 3), fc.constantFrom(1, 3, 40))
  .map((parts) => reduce(...parts))

const purchases = fc.tuple(fc.nat({ max: 2 }), which).map((parts) => buy(...parts))

const starts = fc.tuple(fc.constantFrom<Kind[]>('intent', 'checkout'), small).map(([kind, index]) => start(kind, index))
const payments = fc
  .tuple(small, fc.constantFrom<(keyof typeof cards)[]>('good', 'good', 'declined'))
  .map((parts) => pay(...parts))
const crashes = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom('before' as const, 'after' as const))
  .map((parts) => crash(...parts))

const refunds = fc
  .tuple(small, fc.constantFrom(1, 3, 5, 10), fc.constantFrom(0, 0, 1, 2), fc.constantFrom(1, 1, 3), by)
  .map((parts) => refund(...parts))

const reviews = fc
  .tuple(fc.nat({ max: 2 }), which, fc.constantFrom(null, 1, 4, 5), fc.constantFrom(1, 2))
  .map((parts) => review(...parts))

const books = fc.tuple(small, by).map((parts) => readBooks(...parts))
const attributes = (rows: number) =>
  Array.from({ length: rows }, (_, nth): [string, string] => [`Name ${nth}`, `${rows}`])
const pictures = ['/plates/back.svg', '/plates/scroll.svg', '/plates/bow.svg']
const roles = fc.constantFrom('packer' as const, 'bookkeeper' as const, null)

const keyCalls = [
  fc.tuple(small, small).map((parts) => readByKey(...parts)),
  fc.tuple(small, small).map((parts) => shipByKey(...parts)),
  fc.tuple(small, small, fc.constantFrom(1, 2)).map((parts) => refundByKey(...parts)),
  fc.tuple(small, which, fc.boolean()).map((parts) => stockByKey(...parts)),
]

const boughtReviews = fc.tuple(small, fc.constantFrom(null, 1, 4, 5, 5)).map((parts) => reviewBought(...parts))

export const commands: fc.Arbitrary<Command>[] = [
  ...[
    purchases,
    purchases,
    purchases,
    orders,
    orders,
    ordersWithCodes,
    ordersWithCodes,
    ordersWithCodes,
    starts,
    starts,
    starts,
    starts,
    payments,
    payments,
    payments,
  ],
  ...[
    crashes,
    crashes,
    small.map(returnFromPayment),
    small.map(deliver),
    small.map(deliver),
    small.map(cancel),
    fc.tuple(small, by).map((parts) => ship(...parts)),
  ],
  ...[refunds, refunds, refunds],
  fc.tuple(small, fc.constantFrom(1, 5, 10)).map((parts) => refundElsewhere(...parts)),
  ...[fc.constant(cron), fc.constantFrom(1, 3, 40, 80).map(wait), fc.constantFrom(1, 80).map(wait)],
  fc.tuple(which, fc.integer({ min: 50, max: 400_00 })).map((parts) => reprice(...parts)),
  ...[sales, sales],
  fc.tuple(which, fc.integer({ min: 1, max: 3 })).map((parts) => restock(...parts)),
  fc.constantFrom(0, 1).map(remove),
  ...[
    reviews,
    ...[boughtReviews, boughtReviews, boughtReviews],
    fc.tuple(small, fc.constantFrom<('hide' | 'show')[]>('hide', 'show')).map((parts) => moderate(...parts)),
  ],
  fc.tuple(which, fc.constantFrom(0, 1, 20)).map(([one, rows]) => edit(one, { attributes: attributes(rows) })),
  fc.tuple(which, fc.subarray(pictures)).map(([one, some]) => edit(one, { pictures: some })),
  ...[which.map(readRating), which.map(readRating)],
  ...[fc.tuple(roles, fc.constant<By>(0)), fc.tuple(roles, by)].map((parts) => parts.map((each) => employ(...each))),
  ...[books, books],
  fc.tuple(fc.nat({ max: 2 }), by).map((parts) => endCode(...parts)),
  ...[0, 0, 1].map(() => fc.tuple(by, fc.constantFrom(...grants)).map((parts) => makeKey(...parts))),
  ...[...keyCalls, ...keyCalls, small.map(revokeKey)],
  ...[fc.constant(makeAdmin), fc.constant(revokeAdmin), fc.constant(revokeAdmin)],
]
