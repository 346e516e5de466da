import { inFile, type PlantedBug } from './planted-bug'

const keys = ['app/store/integrations/api-keys.server.test.ts']
const deliveries = ['app/store/integrations/webhook-deliveries.server.test.ts']
const seen = ['app/store/catalog/manage-instruments.server.test.ts']

export const plantedIntegrations: PlantedBug[] = [
  ...inFile('app/store/integrations/api-keys.server.ts', keys, {
    'an expired key works': 'const isLive = and(eq(apiKeys.id, id)«, gt(apiKeys.expiresAt, at)→»)',
    'a wrong secret uses up the limit of a key': 'WHERE ${isLive}« AND secret_hash = ${secretHash}→» AND ${isAdmin}',
    'a call of a new window counts in the old one': '«iif(window_until = ${until}, calls + 1, 1)→calls + 1»,',
    'a customer makes a key': "const mayMake = sql`id = ${admin.id}« AND role = 'admin'→»",
    'a large call counts as one': '.set({ calls: sql`${apiKeys.calls} + ${«calls→calls * 0»}` })',
    'a large call counts for every key':
      '.set({ calls: sql`${apiKeys.calls} + ${calls}` })\n«    .where(eq(apiKeys.id, id))\n→»',
  }),
  ...inFile('app/store/accounts/users.server.ts', keys, {
    'a key outlives the role of its admin': 'DELETE FROM api_keys WHERE user_id = «→NULL AND id = »(SELECT',
  }),
  ...inFile('app/store/integrations/webhook-deliveries.server.ts', deliveries, {
    'the next event of an order does not wait': 'AND earlier.sequence «<→>» own.sequence)',
    'a delivery that was leased is sent twice': 'due_at <= ${at}« AND lease_until <= ${at}→» AND own.',
    'a result counts under the lease of another':
      'sequence = ${sequence} «AND attempts = ${attempts} AND lease_until = ${claimedAt + lease}→»`',
    'a delivery of an endpoint that is off is sent again':
      "sequence = ${sequence}« AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = endpoint_id AND state = 'on')→»`)",
  }),
  ...inFile('app/store/catalog/instruments.server.ts', seen, {
    'what was hidden since is changed as it was seen': 'sql`«${onSale} AND →»${snapshotAt(at)} IS ${seen}`',
  }),
  ...inFile('app/store/catalog/bulk-changes.server.ts', [], {
    'a repeat sets the price again': 'WHERE submission_id = ${keyOf(what)}« AND at = ${at}→»)`',
    'a count of an older stock is taken': "AND «coalesce(${availableAt(at)} = r.value ->> 'expected', TRUE)→TRUE»`",
    'a large delivery out makes the stock negative': '${change} <> 0 «AND available_quantity + ${change} >= 0 →»AND',
  }),
]
