/** An invisible user, as viewers get it. */

export const UNKNOWN_AVATAR = '/static/images/unknown-user-avatar.png'

/** The whole user object. */
export function unknownUser(userId: number) {
  return {
    user_id: userId,
    delivery_email: null,
    email: `user${userId}@127.0.0.1`,
    full_name: 'Unknown user',
    date_joined: '1970-01-01T00:00:00+00:00',
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: 400,
    timezone: '',
    avatar_url: UNKNOWN_AVATAR,
    avatar_version: 1,
    is_imported_stub: false,
    profile_data: {},
  }
}
