// @ts-check
import { confirm, retrieve } from './api.js'
import { metParent } from './parent.js'

const { told, serve } = await metParent()
serve({
  retrieve: ({ clientSecret }) => retrieve(told.key, clientSecret),
  confirm: ({ clientSecret, params }) => confirm(told.key, clientSecret, params),
})
