import { serve } from '../../api/serve.server'
import { userAdmin } from '../../api/endpoints/users.server'

export const loader = serve(userAdmin)
export const action = serve(userAdmin)
