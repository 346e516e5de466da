import { inFile, type PlantedBug } from './planted-bug'

const tests = ['app/store/chain/chain.server.test.ts']

export const plantedChain: PlantedBug[] = [
  ...inFile('app/store/chain/links.server.ts', tests, {
    'a link forgets the one before it': '`«${previous}→»\\n${contentOf(event)}`',
    'a link leaves the price out': '[«unitPriceCents, quantity, totalCents→quantity», createdAt]',
    'a link leaves the amount of a refund out': '[note, «amountCents, →»restock, ',
  }),
  ...inFile('app/store/chain/seal.server.ts', tests, {
    'sealing skips an event': '  for (const event of events«→.slice(1)») {',
    'links are appended to another head than was read':
      "«AND→OR» coalesce((SELECT hash FROM chain_links ORDER BY position DESC LIMIT 1), '')",
    'links that others have appended are appended again':
      'WHERE «value ->> 0 > (SELECT coalesce(max(position), 0) FROM chain_links)→true»',
    'who loses a race leaves events without a link': 'if (rowsAffected === 0) «tries--→return»',
  }),
  ...inFile('app/store/chain/verify-receipt.server.ts', tests, {
    'the page ignores a mismatch': '«fits.every(Boolean) &&→»',
    'the page ignores what the events say':
      '« &&\n    findContradictions({ order, events, refunds, otherRefunds }).length === 0→»',
    'anybody may ask without a limit': '«limit.requireFree([count])→void count»',
  }),
  ...inFile('app/store/chain/verify-chain.server.ts', tests, {
    'an inserted event is not seen': 'if (row.skipped «!== null→=== undefined»)',
  }),
]
