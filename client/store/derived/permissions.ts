/** Permissions of the current user in channels, by the rules of the server, which decides. */

import {
  canPin,
  canReadChannel,
  canResolveTopics,
  type ChannelAccess,
} from '../../../packages/rules/channels.ts'
import { isVisitor, type Organization, type Person } from '../../../packages/rules/organization.ts'
import type { State } from '../apply.ts'
import { accessTo, organizationOf, selfOf } from './judged.ts'

type Judge = (user: Person, access: ChannelAccess, organization: Organization) => boolean

/** A rule as a question about a channel; nobody may do anything in a channel that they do not see. */
export const inChannel =
  (judge: Judge) =>
  (state: State, channelId: number): boolean => {
    const access = accessTo(state, channelId)
    return access !== undefined && judge(selfOf(state), access, organizationOf(state))
  }

/** A rule about changes of messages: visitors change nothing, and in archived channels nobody does. */
export const amongMessages = (judge: Judge) =>
  inChannel((user, access, organization) => {
    const isOpen = !isVisitor(user) && !access.channel.isArchived
    return isOpen && canReadChannel(user, access, organization.rights) && judge(user, access, organization)
  })

/** Whether the user may pin messages and topics of a channel. */
export const mayPin = amongMessages((user, access, { rights }) => canPin(user, access, rights))

const mayResolveTopics = amongMessages(canResolveTopics)

/** Whether the user may mark the topic of a channel as resolved, and as open again. */
export function mayResolve(state: State, channelId: number, topic: string): boolean {
  return topic !== '' && mayResolveTopics(state, channelId)
}
