import { inFile, schema, type PlantedBug } from './planted-bug'

const tests = ['app/store/catalog/sale-prices.server.test.ts']

export const plantedSalePrices: PlantedBug[] = [
  ...inFile('app/store/catalog/sale-prices.server.ts', tests, {
    'a sale counts for a moment after its last day': 'AND ${at} «< →<= »sale_until_at',
    'a sale counts only after its first moment': '(sale_from_at «<=→<» ${at}',
    'a sale price above the price counts': ' AND ${at} < sale_until_at« AND sale_cents < price_cents→»)`',
    'price breaks above the sale price are shown': "WHERE value ->> 'priceCents' «< →> 0 * »sale_cents)",
  }),
  ...inFile('app/store/ordering/place-order.server.ts', tests, {
    'an order in a sale has the price without it':
      'return sql`min(coalesce((${breaks}), price_cents), «${priceAt(at)}→9e9»)`',
  }),
  ...inFile('app/store/catalog/search/search-instruments.server.ts', tests, {
    'sorted by price, those on sale come twice': 'where: sql`«${isReducedAt(at)} IS NOT TRUE→1»`',
    'sorted by price, those on sale are missing': 'where: sql`sale_cents IS NOT NULL AND «${isReducedAt(at)}→0»`',
  }),
  ...inFile('app/store/catalog/instruments.server.ts', tests, {
    'the highest price is compared with the price without the sale':
      'maxCents === undefined ? undefined : sql`${«priceAt(at)→instruments.priceCents»} <= ${maxCents}`',
  }),
  ...inFile(schema, tests, {
    'the database takes the sale price after the sale':
      'NEW.`created_at` < «`sale_until_at`→`sale_until_at` + 9e9», `sale_cents`',
    'the database takes the sale price before the sale':
      'iif(NEW.`created_at` >= `sale_from_at`« →- 9e9 »AND NEW.`created_at` <',
    'a sale that was on is no price of before': 'OLD.`sale_from_at` <= «`priced_at`→0»\n',
    'the highest price of a day is kept': 'ON CONFLICT DO UPDATE SET `price_cents` = «min→max»(`price_cents`, excluded',
    'former prices are kept for ever':
      '`from_at` <= `priced_at` ORDER BY `from_at` DESC LIMIT 1), 0)) / 86400000 - «30→9999» FROM `instruments`',
    'prices of 29 days count':
      'max(`sale_from_at`, `priced_at`) ORDER BY `from_at` DESC LIMIT 1), 0)) / 86400000 - «30→29»\n',
    'a longer sale is a new one, with its own price before it':
      'WHERE `id` = NEW.`id` AND (\n      «(`sale_cents`, `sale_from_at`) IS NOT (OLD.`sale_cents`, OLD.`sale_from_at`)→1»\n',
    'a sale of today is compared with the price that it came with':
      'iif(«`sale_from_at` > `priced_at`→1», `price_cents`, OLD.`price_cents`)',
    'a planned sale keeps the price of when it was planned':
      'OR «`sale_from_at` > `priced_at`→0» OR OLD.`sale_until_at` <= `priced_at`\n    );',
    'a product that is older than its planned sale has no price before it':
      'SET `prior_cents` = «`price_cents`→NULL» WHERE `id` = NEW.`id`',
  }),
]
