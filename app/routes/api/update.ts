import { serve } from '../../http/api.server'
import { profile } from '../../api/people.server'

export const loader = serve(profile)
export const action = serve(profile)
