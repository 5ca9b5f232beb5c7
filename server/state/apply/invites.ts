/** Events of invitations: only their table holds these. */

import type { InviteEvent } from '../../domain/events/invites.ts'
import { type Appliers, keptElsewhere } from './appliers.ts'

export const INVITE_APPLIERS: Appliers<InviteEvent> = {
  invites_changed: keptElsewhere,
  invitation_used: keptElsewhere,
}
