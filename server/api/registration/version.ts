/** The server's version. */

import { INTEGER, STRING } from '../../domain/json-schema.ts'
import { COMPATIBLE_VERSION, FEATURE_LEVEL } from '../../views/names.ts'
import { constant } from './state-part.ts'

/** In every registration, since clients branch on it; also in `GET /server_settings`. */
export const VERSION_FIELDS = {
  service_version: constant(STRING, COMPATIBLE_VERSION, 'The release whose API this server implements.'),
  service_merge_base: constant(STRING, COMPATIBLE_VERSION, 'The same release.'),
  service_feature_level: constant(INTEGER, FEATURE_LEVEL, 'The level of the API.'),
}
