import { serve } from '../../http/api.server'
import { users } from '../../api/people.server'

export const loader = serve(users)
export const action = serve(users)
