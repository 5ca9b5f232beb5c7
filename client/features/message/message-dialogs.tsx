/** The dialog that is open about a message; the code of each comes with its first use. */

import { lazy } from '../../ui/lazy.tsx'
import { type DialogName, type MessageDialogProps, openDialog, openPictures } from './shown-message.ts'

const DIALOGS: Readonly<Record<DialogName, (props: MessageDialogProps) => preact.JSX.Element>> = {
  delete: lazy(async () => (await import('../../rare.ts')).DeleteMessage),
  history: lazy(async () => (await import('../../rare.ts')).MessageHistory),
  readers: lazy(async () => (await import('../../rare.ts')).MessageReaders),
  move: lazy(async () => (await import('../../rare.ts')).MoveMessage),
  report: lazy(async () => (await import('../../rare.ts')).ReportMessage),
  remind: lazy(async () => (await import('../../rare.ts')).RemindMe),
  forward: lazy(async () => (await import('../../rare.ts')).ForwardMessage),
}
const Lightbox = lazy(async () => (await import('../../rare.ts')).Lightbox)

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
