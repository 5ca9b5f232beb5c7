/** The post policy of a channel, for clients older than group settings. */

import type { GroupSetting } from '../groups/group-settings.ts'
import { SYSTEM_GROUPS } from '../groups/system-groups.ts'

/** 1 anyone, 2 administrators, 3 full members, 4 moderators. */
export function postPolicyOf(setting: GroupSetting): number {
  const holders = [SYSTEM_GROUPS.administrators, SYSTEM_GROUPS.fullMembers, SYSTEM_GROUPS.moderators]
  return typeof setting === 'number' ? holders.indexOf(setting) + 2 || 1 : 1
}
