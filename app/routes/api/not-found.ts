import { errorJson } from '../../http/errors'

export function loader() {
  return errorJson(404, 'not-found', 'The API has no such path: see /openapi.json.')
}

export const action = loader
