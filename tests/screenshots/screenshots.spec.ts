import { accountScenes } from './account'
import { adminScenes, firstProductScenes } from './admin'
import { longListScenes } from './long-lists'
import { identityScenes } from './identity'
import { purchaseScenes } from './purchase'
import { failureScenes, outageScene, storefrontScenes } from './storefront'

// The bare shop is empty at first, then sells one product, then many, then its database is gone: in this order.
storefrontScenes()
identityScenes()
purchaseScenes()
accountScenes()
adminScenes()
failureScenes()
firstProductScenes()
longListScenes()
outageScene()
