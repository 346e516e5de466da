import { makeTargets } from '../stress/fuzz/targets'
import { expect, test } from '../support/shop'

// The fuzzer itself is a drill.
test('has a request for every call of the API, from which the fuzzer begins', async ({ shop }) => {
  expect((await makeTargets(shop)).length).toBeGreaterThan(20)
})
