import { serve } from '../../http/api.server'
import { userToken } from '../../api/people.server'

export const loader = serve(userToken)
export const action = serve(userToken)
