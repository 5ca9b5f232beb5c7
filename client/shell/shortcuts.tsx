/** All shortcuts of the keyboard. */

import { type Shortcut, SHORTCUTS } from './keyboard.ts'
import { Dialog } from '../ui/dialog.tsx'

/** The composer acts on these by itself. */
const OF_COMPOSER: readonly Omit<Shortcut, 'run'>[] = [
  { keys: 'Enter', group: 'Writing', text: 'Send message' },
  { keys: 'Ctrl Enter', group: 'Writing', text: 'Send message, even if Enter starts a new line' },
  { keys: 'Ctrl B', group: 'Writing', text: 'Bold' },
  { keys: 'Ctrl I', group: 'Writing', text: 'Italic' },
  { keys: 'Ctrl Shift C', group: 'Writing', text: 'Code' },
  { keys: 'Ctrl Shift L', group: 'Writing', text: 'Link' },
  { keys: 'Shift Enter', group: 'Writing', text: 'New line' },
]

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const groups = Map.groupBy([...SHORTCUTS, ...OF_COMPOSER], ({ group }) => group)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} isWide>
      <div class="shortcuts">
        {[...groups].map(([group, shortcuts]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {shortcuts.map(({ keys, text }) => (
                <div key={text}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key === 'Escape' ? 'Esc' : key}</kbd>
                    ))}
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
