/** Services for sending messages, in a process with or without clients. */

import type { Sql } from '../../db/connection/connect.ts'
import type { Channels } from '../actors/channel.ts'
import type { Conversations } from '../actors/conversation.ts'
import type { Tracer } from '../measures/tracer.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Rendering } from './render.ts'
import type { Writer } from './submit.ts'

/** Services of all code that sends messages. */
export interface Sending extends Rendering, Writer {
  readonly sql: Sql
  readonly state: OrganizationState
  readonly channels: Channels
  readonly conversations: Conversations
  /** Undefined unless spans are exported. */
  readonly tracer?: Tracer | undefined
  /** The address under which clients reach the server, without a slash at its end. */
  readonly publicUrl: string
}
