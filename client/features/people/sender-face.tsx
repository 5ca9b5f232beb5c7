/** The face of a message's sender, with their presence now. */

import { useComputed } from '@preact/signals'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { Face } from './face.tsx'
import { shownPresence } from './shown-presence.ts'

export function SenderFace({
  message,
}: {
  readonly message: Pick<Message, 'sender_id' | 'sender_full_name' | 'avatar_url'>
}) {
  const app = useApp()
  const { sender_id: id, sender_full_name: name, avatar_url: picture } = message
  // It is drawn again only when the presence is another one.
  const presence = useComputed(() => shownPresence(app, id)).value
  return <Face userId={id} name={name} picture={picture} size="medium" presence={presence} />
}
