/** Events of video calls: only their table holds the tokens. */

import type { CallEvent } from '../../domain/events/calls.ts'
import { type Appliers, storedElsewhere } from './appliers.ts'

export const CALL_APPLIERS: Appliers<CallEvent> = { has_provider_token: storedElsewhere }
