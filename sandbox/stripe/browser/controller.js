// @ts-check
import { confirm, retrieve } from './api.js'
import { connectToParent } from './parent.js'

const { options, serve } = await connectToParent()
serve({
  retrieve: ({ clientSecret }) => retrieve(options.key, clientSecret),
  confirm: ({ clientSecret, params }) => confirm(options.key, clientSecret, params),
})
