/** Who cancels an order whose pieces were kept long enough: it stands in the journal, and the letter says so. */
export const holdExpiry = 'hold expiry'
