import { compareNames } from '../shared/folding'
import { piecesToShip, type Order } from './orders'

/** What to take from the shelf for the orders to ship. */
export interface Pick {
  instrumentId: string
  name: string
  pieces: number
  orders: Order[]
}

/** By instrument, in the order of the alphabet. The name is that of the first order: it may have been another one since (R12). */
export function pickingList(toShip: Order[]): Pick[] {
  const picks = new Map<string, Pick>()
  for (const order of toShip) {
    const { instrumentId, productName: name } = order
    const pick = picks.get(instrumentId) ?? { instrumentId, name, pieces: 0, orders: [] }
    pick.pieces += piecesToShip(order)
    pick.orders.push(order)
    picks.set(instrumentId, pick)
  }
  return [...picks.values()].sort((one, other) => compareNames(one.name, other.name))
}
