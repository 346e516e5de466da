import { inFile, schema, type PlantedBug } from './planted-bug'

const tests = ['app/store/catalog/sale-prices.server.test.ts', 'app/store/ordering/order-price.server.test.ts']

export const plantedSalePrices: PlantedBug[] = [
  ...inFile('app/store/catalog/sale-prices.server.ts', tests, {
    'a sale counts for a moment after its last day': 'AND ${at} «< →<= »sale_until_at',
    'a sale counts only after its first moment': '(sale_from_at «<=→<» ${at}',
    'a sale price above the price counts': ' AND ${at} < sale_until_at« AND sale_cents < price_cents→»)`',
    'price breaks above the sale price are shown': "WHERE value ->> 'priceCents' «< →> 0 * »sale_cents)",
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
    'the database has the sale price after the sale': "'untilAt', `sale_until_at`«→ + 9e9»)))",
    'the database has the sale price before the sale': "'fromAt', `sale_from_at`«→ - 9e9», 'untilAt'",
    'a price break begins one piece late': '`from_quantity` «<=→<» NEW.`quantity`',
    'the database has no price breaks': "json_each(json_insert(«`price_breaks`→'[]'», ",
    'an order is at any price': 'coalesce(NEW.`discount_cents`, 0) «IS NOT→<» NEW.`quantity` * CASE',
  }),
  ...inFile('app/store/catalog/prior-price.server.ts', tests, {
    'a sale that was on is no price of before': 'instruments.sale_from_at <= «${at}→0» AND ${isChange}',
    'the highest price of a day is kept': 'ON CONFLICT DO UPDATE SET price_cents = «min→max»(price_cents, excluded',
    'former prices are kept for ever': 'day < ${today} - «${days}→9999» AND',
    'prices of 29 days count': 'max(news.sale_from_at, ${at})`)} - «${days}→29»\n',
    'a longer sale is a new one, with its own price before it': 'WHEN NOT (${isChange} AND («${isNewSale}→1» OR',
    'a sale of today is compared with the price that it came with':
      'iif(«news.sale_from_at > ${at}→1», news.price_cents, instruments.price_cents)',
    'a planned sale keeps the price of when it was planned':
      '${isNewSale} OR «news.sale_from_at > ${at}→0» OR instruments',
    'a product that is older than its planned sale has no price before it':
      'saleFromAt > at ? «priceCents→null» : null',
  }),
]
