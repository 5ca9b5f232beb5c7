/** Whether people without an account may read web-public channels. */

import type { OrganizationState } from '../../state/organization-state.ts'

/** Both the operator and the organization must allow it. */
export function hasVisitors(
  { settings }: Pick<OrganizationState, 'settings'>,
  hasWebPublicChannels: boolean,
): boolean {
  return hasWebPublicChannels && settings.hasSpectatorAccess
}
