import { selectInstrument } from '../catalog/instruments.server'
import type { Instrument } from '../catalog/instruments'
import type { Deps } from '../deps'
import { selectOwnHolds } from './holds.server'
import type { Profile } from '../accounts/profile'
import { selectProfile } from '../accounts/profile.server'

/** What somebody sees who is about to order. */
export interface OrderFormData {
  instrument: Instrument
  profile: Profile
  /** Pieces of it that their own unpaid orders keep from everybody. */
  held: number
}

/** What the purchase page shows to this customer, in one round trip; null when the instrument is not on sale. */
export async function readOrderForm(
  deps: Deps,
  customer: { id: string },
  instrumentId: string,
): Promise<OrderFormData | null> {
  const [[instrument], [profile], [holds]] = await deps.db.batch([
    selectInstrument(deps, instrumentId),
    selectProfile(deps, customer),
    selectOwnHolds(deps, customer, instrumentId),
  ])
  return instrument ? { instrument, profile: profile!, held: holds!.pieces } : null
}
