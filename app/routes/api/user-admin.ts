import { serve } from '../../http/api.server'
import { userAdmin } from '../../api/people.server'

export const loader = serve(userAdmin)
export const action = serve(userAdmin)
