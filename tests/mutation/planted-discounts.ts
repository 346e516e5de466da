import { inFile, schema, type PlantedBug } from './planted-bug'

const tests = ['app/store/discounts/discounts.server.test.ts', 'app/store/ordering/order-price.server.test.ts']

export const plantedDiscounts: PlantedBug[] = [
  ...inFile('app/store/discounts/use-discount.server.ts', tests, {
    'a code that has ended counts': '«d.ended_at IS NOT NULL OR →»d.until_at <= ${at}',
    'a code counts on the day after its last': "d.until_at <= ${at«→ - 86400000»} THEN 'ended'",
    'a code counts before its first day': "WHEN «d.from_at > ${at}→0» THEN 'early'",
    'a code of families counts for every instrument': "<> '[][]' AND «→0 AND »i.id NOT IN",
    'orders that are replaced use up a code': "state <> 'cancelled' «${stay}→»`",
    'the smallest order is not checked':
      'WHEN «${total ?? sql`NULL`} <→0 AND ${total ?? sql`NULL`} <» d.min_total_cents',
    'a code takes off the price break too': 'iif(«d.combines→1», ${usual}, i.price_cents)',
    'a code makes an order dearer than a price break': 'return sql`«min(${usual}, max(→max(max(»${base}',
    'unknown codes are not limited': '> ${limits.unknownCodesOfAccount.max«→ * 1000»}\n',
    'unknown codes of one IP address are not limited': "> ${limits.unknownCodesFromIp.max«→ * 1000»} THEN 'rate'",
    'what the limit of an account stops counts against the address':
      '«(NOT k.ip OR ${tries(deps, account)} < ${limits.unknownCodesOfAccount.max})→${tries(deps, account)} < 1e9»',
    'a right code counts as a guess':
      '«AND NOT EXISTS (SELECT 1 FROM discounts WHERE code = ${code})→AND ${code} <> 0»',
  }),
  ...inFile('app/store/ordering/place-order.server.ts', tests, {
    'a total without the discount is accepted':
      'sql`${«discount.unit ?? sql`usual.price_cents`→sql`usual.price_cents`»} * ${quantity}`\n  const price',
  }),
  ...inFile('app/store/discounts/manage-discounts.server.ts', tests, {
    'a former admin makes a code':
      "WHERE «EXISTS (SELECT 1 FROM users WHERE id = ${admin.id} AND role = 'admin')→${admin.id} <> ''»",
    'a code is ended again': 'WHERE code = ${code}« AND ended_at IS NULL→»`',
  }),
  ...inFile(schema, tests, {
    'the database lets a code be used too often': 'OR `max_uses` «>→>=» (SELECT',
    'the database lets a customer use a code too often': 'OR `max_uses_per_customer` «>→>=» (',
    'the database takes a code for every family': 'OR «instr(`families`, json_quote(`family_slug`))→1»)',
    'the database takes any discount for a code':
      'NEW.`unit_price_cents` «= (\n          SELECT max(`base`→<= (\n          SELECT max(`base`»',
    'the discount of an order is changed later': '`quote_id`, `discount_code`«, `discount_cents`→» ON `orders`',
  }),
  ...inFile('app/store/catalog/manage-families.server.ts', ['app/store/discounts/discounts.server.test.ts'], {
    'a family takes its codes not along when its address changes': 'WHERE «changes() = 1→false» AND instr(families',
  }),
]
