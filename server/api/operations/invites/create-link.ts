/** `POST /invites/multiuse`: makes a link by which people make accounts of their own. */

import { TooManyInvitationsError } from '../../../../db/invitations.ts'
import { isAdministrator } from '../../../domain/channel-access.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { INVITATIONS_MAX } from '../../../domain/limits.ts'
import { Secret } from '../../../domain/secret.ts'
import { changeInvitations } from '../../../decisions/invitations/change-invitations.ts'
import { channelIdsType, checkInvitation, INVITATION_PARAMS, INVITER_ERRORS } from './invitation-params.ts'
import { invitationUrl } from '../../invitations/join-by-invitation.ts'
import { operation } from '../../operation.ts'
import { defaulted } from '../../params.ts'
import { createApiKey } from '../../../changes/passwords.ts'
import { STRING } from '../../../domain/json-schema.ts'

export const createInvitationLink = operation({
  method: 'POST',
  path: '/invites/multiuse',
  summary: 'Create a reusable invitation link',
  description:
    'Whoever opens the link makes an account, until the link is over or revoked, or its maker is deactivated or could ' +
    'no longer invite people as that role. There is a permission of the organization for it.',
  access: 'user',
  params: {
    ...INVITATION_PARAMS,
    stream_ids: defaulted(
      channelIdsType,
      [],
      'Channels to which whoever joins is subscribed; the caller may subscribe others to each.',
    ),
  },
  reply: { invite_link: { schema: STRING, description: 'The link.' } },
  errors: [...INVITER_ERRORS, 'TOO_MANY_INVITATIONS'],
  events: ['invites_changed'],
  async run({ user, params, services, fail }) {
    const { committer, clock, publicUrl, invitationMinutes } = services
    const key = createApiKey()
    const wish = {
      role: params.invite_as,
      channelIds: [...new Set(params.stream_ids)],
      groupIds: [...new Set(params.group_ids)],
    }
    const minutes =
      params.invite_expires_in_minutes === undefined ? invitationMinutes : params.invite_expires_in_minutes
    const invitedAt = nowSeconds(clock)
    try {
      await committer.submit({
        kind: 'structure',
        decide(state) {
          const caller = state.getUser(user.id)
          checkInvitation(caller, state.permissions.createMultiuseInvite, wish, state, fail)
          const invitation = {
            ...wish,
            inviterId: user.id,
            hasDefaultChannels: params.include_realm_default_subscriptions,
            welcomeText: isAdministrator(caller) ? params.welcome_message_custom_text : null,
            invitedAt,
            expiresAt: minutes === null ? null : invitedAt + minutes * 60,
          }
          return {
            events: changeInvitations(state, user.id, { kind: 'made', invitation, key: new Secret(key) }),
            reply: () => undefined,
          }
        },
      })
    } catch (error) {
      if (!(error instanceof TooManyInvitationsError)) throw error
      throw fail('TOO_MANY_INVITATIONS', { countMax: INVITATIONS_MAX })
    }
    return { invite_link: invitationUrl(publicUrl, key) }
  },
})
