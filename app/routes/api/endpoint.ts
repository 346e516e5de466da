import { serveApi } from '../../api/serve.server'

export const loader = serveApi
export const action = serveApi
