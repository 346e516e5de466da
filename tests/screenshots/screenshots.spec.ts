import { accountScenes } from './account'
import { adminScenes, firstProductScenes } from './admin'
import { longListScenes } from './long-lists'
import { identityScenes } from './identity'
import { pages } from '../support/pages'
import { purchaseScenes } from './purchase'
import { at, scene } from './scene'
import { failureScenes, outageScene, storefrontScenes } from './storefront'

// The bare shop is empty at first, then sells one product, then many, then its database is gone: in this order.
storefrontScenes()
identityScenes()
purchaseScenes()
accountScenes()
adminScenes()
for (const { address, as } of pages) scene(address, 'plain', as === 'anybody' ? {} : { as }, at(address))
failureScenes()
firstProductScenes()
longListScenes()
outageScene()
