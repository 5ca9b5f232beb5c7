/** The dialog that is open about a message; the code of each comes with its first use. */

import { lazy } from '../../ui/lazy.tsx'
import { useApp } from '../../app/app.ts'
import { type DialogName, type MessageDialogProps, MessageParts } from './message-parts.ts'

const DIALOGS: Readonly<Record<DialogName, (props: MessageDialogProps) => preact.JSX.Element>> = {
  delete: lazy(async () => (await import('./dialogs/delete-message.tsx')).DeleteMessage),
  history: lazy(async () => (await import('./dialogs/message-history.tsx')).MessageHistory),
  readers: lazy(async () => (await import('./dialogs/message-readers.tsx')).MessageReaders),
  move: lazy(async () => (await import('./dialogs/move-message.tsx')).MoveMessage),
  report: lazy(async () => (await import('./dialogs/report-message.tsx')).ReportMessage),
  remind: lazy(async () => (await import('./dialogs/remind-me.tsx')).RemindMe),
  forward: lazy(async () => (await import('./dialogs/forward-message.tsx')).ForwardMessage),
}
const Lightbox = lazy(async () => (await import('./dialogs/lightbox.tsx')).Lightbox)

export function MessageDialogs() {
  const { dialog, gallery } = useApp().part(MessageParts)
  const { name, message } = dialog.value ?? {}
  const shown = gallery.value
  const Shown = name && DIALOGS[name]
  return (
    <>
      {Shown && message && (
        <Shown key={`${name} ${message.id}`} message={message} onClose={() => (dialog.value = undefined)} />
      )}
      {shown && (
        <Lightbox
          pictures={shown.pictures}
          index={shown.index}
          onClose={() => {
            gallery.value = undefined
            shown.opener.focus()
          }}
        />
      )}
    </>
  )
}
