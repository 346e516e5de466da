import { errorJson } from '../../http/errors'

/** A path below one of the API's that it does not have. */
export function loader() {
  return errorJson(404, 'not-found', 'The API has no such path: /openapi.json tells those that it has.')
}

export const action = loader
