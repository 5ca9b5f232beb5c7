/** Roles by their wire numbers; a smaller number may do more. */

export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type RoleName = keyof typeof ROLES
export type Role = (typeof ROLES)[RoleName]
