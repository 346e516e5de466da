import { serve } from '../../api/serve.server'
import { userToken } from '../../api/endpoints/users.server'

export const loader = serve(userToken)
export const action = serve(userToken)
