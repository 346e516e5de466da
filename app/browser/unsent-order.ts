/*
 * Orders that were sent without an answer from the shop (decision 39): the browser stores each until it has one, and sends it again with its
 * submission id, which makes it one order however often it arrives (R43).
 */

export interface UnsentOrder {
  /** Of the purchase page, which alone sends it. */
  path: string
  /** Milliseconds since 1970. */
  at: number
  fields: Record<string, string>
}

const prefix = 'unsentOrder.'
const lifetime = 24 * 60 * 60 * 1000

/** Of this customer; forgets those of yesterday. */
export function unsentOrders(email: string): UnsentOrder[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .flatMap((key) => {
        const order = readEntry(key)
        if (!order) return []
        if (Date.now() - order.at > lifetime) localStorage.removeItem(key)
        return Date.now() - order.at > lifetime || order.fields.orderingAs !== email ? [] : [order]
      })
  } catch {
    return [] // not allowed
  }
}

/** Null for what is not JSON: another program of this origin, or a write that was cut off. */
function readEntry(key: string): UnsentOrder | null {
  try {
    return JSON.parse(localStorage[key] as string) as UnsentOrder
  } catch {
    return null
  }
}

function keyOf({ fields }: UnsentOrder): string {
  return `${prefix}${fields.submissionId ?? ''}`
}

export function storeOrder(order: UnsentOrder): void {
  try {
    localStorage[keyOf(order)] = JSON.stringify(order)
  } catch {
    // not allowed, or full
  }
}

export function forgetOrder(order: UnsentOrder): void {
  try {
    localStorage.removeItem(keyOf(order))
  } catch {
    // not allowed
  }
}
