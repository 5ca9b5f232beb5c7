/** Uploads: a registration does not contain them. */

import { notRegistered, type WireReducers } from './wire-reducer.ts'

export const ATTACHMENT_REDUCERS: WireReducers = {
  'attachment/add': notRegistered,
  'attachment/update': notRegistered,
  'attachment/remove': notRegistered,
}
