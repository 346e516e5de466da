import { serve } from '../../api/serve.server'
import { users } from '../../api/endpoints/users.server'

export const loader = serve(users)
export const action = serve(users)
