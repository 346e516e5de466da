import { serve } from '../../http/api.server'
import { adminFlag } from '../../api/people.server'

export const loader = serve(adminFlag)
export const action = serve(adminFlag)
