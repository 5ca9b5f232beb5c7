/** Invitations are in their table alone. */

import type { InviteEvent } from '../../domain/events/invites.ts'
import { type Appliers, keptElsewhere } from './appliers.ts'

export const INVITE_APPLIERS: Appliers<InviteEvent> = {
  invites_changed: keptElsewhere,
  invitation_used: keptElsewhere,
}
