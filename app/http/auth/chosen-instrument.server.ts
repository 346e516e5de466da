import type { AppLoadContext } from '@remix-run/cloudflare'
import { findInstrument } from '../../store/catalog/instruments.server'
import type { Instrument } from '../../store/catalog/instruments'

/** What a visitor wants to purchase, and has to log in for; null if they come from elsewhere. */
export async function findChosenInstrument(context: AppLoadContext, redirectTo: string): Promise<Instrument | null> {
  const id = /^\/instruments\/([^/?#]+)(?:[?#]|$)/.exec(redirectTo)?.[1]
  return id === undefined ? null : findInstrument(context, id)
}
