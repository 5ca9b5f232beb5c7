/** The source of pictures of users who have not uploaded one. */

import type { UserId } from '../domain/ids.ts'
import type { PictureSource } from '../domain/files/pictures.ts'
import type { OrganizationState } from './organization-state.ts'

/**
 * Whether a user has the picture of Gravatar, so that clients can compute its address from the email address. Only with
 * `GRAVATAR=on`: otherwise no hash of an address leaves the server. Users who joined before the organization chose a
 * source have that of the server.
 */
export function showsGravatar(userId: UserId, state: OrganizationState): boolean {
  return state.usesGravatar && !state.avatars.has(userId) && state.pictureSources.get(userId) !== 'J'
}

/** The source that applies to new users now. */
export function pictureSourceOfNewUsers({ settings, usesGravatar }: OrganizationState): PictureSource {
  return usesGravatar ? (settings.defaultPictureSource ?? 'G') : 'J'
}
