/** Events of invitations: only their table holds these. */

import type { InviteEvent } from '../../domain/events/invites.ts'
import { type Appliers, storedElsewhere } from './appliers.ts'

export const INVITE_APPLIERS: Appliers<InviteEvent> = {
  invites_changed: storedElsewhere,
  invitation_used: storedElsewhere,
}
