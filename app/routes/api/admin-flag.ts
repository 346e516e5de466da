import { serve } from '../../api/serve.server'
import { adminFlag } from '../../api/endpoints/users.server'

export const loader = serve(adminFlag)
export const action = serve(adminFlag)
