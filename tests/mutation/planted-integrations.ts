import { inFile, schema, type PlantedBug } from './planted-bug'

const keys = ['app/store/integrations/api-keys.server.test.ts']
const deliveries = ['app/store/integrations/webhook-deliveries.server.test.ts']
const seen = ['app/store/catalog/manage-instruments.server.test.ts']

export const plantedIntegrations: PlantedBug[] = [
  ...inFile('app/store/integrations/api-keys.server.ts', keys, {
    'an expired key works': 'const isLive = and(eq(apiKeys.id, id)«, gt(apiKeys.expiresAt, at)→»)',
    'any secret works with the id of a key': 'if (!row || «!timingSafeEqual(→timingSafeEqual(»Buffer',
    'a wrong secret uses up the limit of a key': 'WHERE ${isLive}« AND secret_hash = ${secretHash}→» AND ${isAdmin}',
    'a call of a new window counts in the old one': '«iif(window_until = ${until}, calls + 1, 1)→calls + 1»,',
    'a customer makes a key': "const mayMake = sql`id = ${admin.id}« AND role = 'admin'→»",
    'a key has power over accounts': 'signedInAt: «0→at» },',
    'a large call counts as one': '.set({ calls: sql`${apiKeys.calls} + ${«calls→calls * 0»}` })',
    'a large call counts for every key':
      '.set({ calls: sql`${apiKeys.calls} + ${calls}` })\n«    .where(eq(apiKeys.id, id))\n→»',
  }),
  ...inFile(schema, keys, {
    'a key outlives the role of its admin': 'DELETE FROM `api_keys` WHERE `user_id` = «NEW.`id`→NULL»;',
  }),
  ...inFile('app/store/integrations/webhook-deliveries.server.ts', deliveries, {
    'the next event of an order does not wait': 'AND earlier.sequence «<→>» own.sequence)',
    'a delivery that was leased is sent twice': 'due_at <= ${at}« AND lease_until <= ${at}→» AND own.',
    'a result counts under the lease of another':
      'sequence = ${sequence} «AND attempts = ${attempts} AND lease_until = ${claimedAt + lease}→»`',
    'a failed event is tried for a day longer': '(claimed.firstTriedAt ?? at) + longestTry«→ + 86400000»\n',
    'one failure switches an endpoint off': '`failing_since <= ${at« - longestTry→»}`',
    'an endpoint that answers again stays in doubt':
      'SET failing_since = NULL WHERE id = ${«claimed.endpointId→claimed.id»} AND',
    'a failed event comes again at once': '- 1]! * «minute→0»\n',
    'a delivery of an endpoint that is off is sent again':
      "sequence = ${sequence}« AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = endpoint_id AND state = 'on')→»`)",
  }),
  ...inFile('app/store/integrations/sign-webhook.server.ts', deliveries, {
    'the time is not signed': 'update(`${id}.«${timestamp}.→»${payload}`)',
  }),
  ...inFile('app/store/catalog/instruments.server.ts', seen, {
    'what was hidden since is changed as it was seen': 'sql`«${onSale} AND →»${snapshotAt(at)} IS ${seen}`',
    'a tag of nothing is no condition': 'return seen «=== undefined→== null» ? sql`true`',
  }),
  ...inFile('app/store/catalog/manage-instruments.server.ts', seen, {
    'an instrument is deleted whatever was seen': 'managed, isAsSeen(«seen→undefined», at))),',
    'the stock is changed whatever was seen': '    isAsSeen(«seen→undefined», at),\n',
  }),
  ...inFile('app/store/catalog/bulk-changes.server.ts', [], {
    'a repeat sets the price again': 'WHERE submission_id = ${keyOf(what)}« AND at = ${at}→»)`',
    'two rows change the same product': 'if (first «!== undefined→=== -1») return first',
    'a count of an older stock is taken': "AND «coalesce(${availableAt(at)} = r.value ->> 'expected', TRUE)→TRUE»`",
    'a large delivery out makes the stock negative': '${change} <> 0 «AND available_quantity + ${change} >= 0 →»AND',
  }),
]
