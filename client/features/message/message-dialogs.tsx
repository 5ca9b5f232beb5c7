/** The dialog that is open about a message; the code of each comes with its first use. */

import { lazy } from '../../ui/lazy.tsx'
import { type DialogName, type MessageDialogProps, openDialog, openPictures } from './shown-message.ts'

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
  const { name, message } = openDialog.value ?? {}
  const shown = openPictures.value
  const Shown = name && DIALOGS[name]
  return (
    <>
      {Shown && message && (
        <Shown
          key={`${name} ${message.id}`}
          message={message}
          onClose={() => (openDialog.value = undefined)}
        />
      )}
      {shown && (
        <Lightbox
          pictures={shown.pictures}
          index={shown.index}
          onClose={() => {
            openPictures.value = undefined
            shown.opener.focus()
          }}
        />
      )}
    </>
  )
}
