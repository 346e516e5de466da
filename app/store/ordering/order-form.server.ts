import { selectInstrument } from '../catalog/instruments.server'
import type { Instrument } from '../catalog/instruments'
import type { Deps } from '../deps'
import { selectOwnHolds } from './holds.server'
import type { Profile } from '../accounts/profile'
import { selectProfile } from '../accounts/profile.server'

export interface OrderFormData {
  instrument: Instrument
  profile: Profile
  held: number
}

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
