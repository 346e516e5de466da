import type { Deps } from '../../app/store/deps'
import { Refusal } from '../../app/store/refusal'
import type { History } from './checker/history'
import { payableOf, type Given, type Kind } from './card'
import { cancelOrder, placeOrder, confirmOrderPayment, shipOrder, startCheckout, startIntent } from './store-commands'
import type { Person } from './test-environment'

/** How something that was asked for went. `unsure`: there was no answer, so it may have happened. */
export type Outcome<T> =
  { how: 'done'; value: T } | { how: 'refused'; refusal: Refusal } | { how: 'unsure'; error: unknown }

interface Wanted {
  submission?: string
  /** The price that the customer was shown, in cents. */
  shown?: number
  /** Takes the place of the customer's own unpaid orders of this instrument. */
  instead?: boolean
}

/** A customer at one worker, who writes down what the answers said. */
export class Client {
  constructor(
    private readonly worker: Deps,
    private readonly history: History,
    readonly who: Person,
  ) {}

  async order(instrument: string, quantity: number, wanted: Wanted = {}): Promise<Outcome<string>> {
    const { submission = crypto.randomUUID(), shown, instead = false } = wanted
    const known = { customer: this.who.id, instrument, submission, quantity }
    const outcome = await outcomeOf(async () => {
      const { id } = await placeOrder(this.worker, this.who, {
        instrumentId: instrument,
        submissionId: submission,
        orderQuantity: quantity,
        customerAddress: '1 Bow Lane',
        customerPhone: '07700 900123',
        ...(shown === undefined ? {} : { unitPrice: shown }),
        replaceUnpaid: instead,
      })
      return id
    })
    if (outcome.how === 'done') this.history.ordered.push({ ...known, order: outcome.value, shown: shown ?? null })
    else if (outcome.how === 'unsure') this.history.unsure.push(known)
    else if (isShort(outcome.refusal)) this.history.short.push(known)
    return outcome
  }

  async start(kind: Kind, order: string): Promise<Outcome<Given>> {
    const outcome = await outcomeOf(async (): Promise<Given> => {
      if (kind === 'checkout') return { kind, ...(await startCheckout(this.worker, this.who, order)) }
      return { kind, ...(await startIntent(this.worker, this.who, order)) }
    })
    if (outcome.how === 'done') this.history.given.push({ order, payable: payableOf(outcome.value) })
    return outcome
  }

  /** Comes back from paying. */
  async comesBack(order: string): Promise<Outcome<string>> {
    const outcome = await outcomeOf(() => confirmOrderPayment(this.worker, order))
    if (outcome.how === 'done' && outcome.value === 'paid') this.history.paid.push({ order, transaction: null })
    return outcome
  }

  async cancel(order: string): Promise<Outcome<boolean>> {
    const outcome = await outcomeOf(() => cancelOrder(this.worker, this.who, order))
    if (outcome.how === 'done') this.history.cancelled.push({ order })
    return outcome
  }

  /** Only an admin's client may. */
  async ship(order: string): Promise<Outcome<void>> {
    const outcome = await outcomeOf(() => shipOrder(this.worker, this.who, order))
    if (outcome.how === 'done') this.history.shipped.push({ order })
    return outcome
  }
}

/** The value of what must have been done. */
export function done<T>(outcome: Outcome<T>): T {
  if (outcome.how === 'done') return outcome.value
  throw outcome.how === 'refused' ? outcome.refusal : outcome.error
}

async function outcomeOf<T>(act: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { how: 'done', value: await act() }
  } catch (error) {
    return error instanceof Refusal ? { how: 'refused', refusal: error } : { how: 'unsure', error }
  }
}

/** Refused for want of pieces: there are fewer, or there were when it was tried. */
function isShort({ fields, message }: Refusal): boolean {
  return (
    (fields.orderQuantity?.includes('Cannot be more than available') ?? false) || message.includes('a moment faster')
  )
}
