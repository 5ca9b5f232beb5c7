/** All shortcuts of the keyboard. */

import { GROUPS, type Shortcut, SHORTCUTS } from './keyboard.ts'
import { Dialog } from '../ui/dialog.tsx'
import { t } from '../texts/texts.ts'

/** The composer acts on these by itself. */
const OF_COMPOSER: readonly Omit<Shortcut, 'run'>[] = [
  { keys: 'Enter', group: 'writing', text: t('Send message') },
  { keys: 'Ctrl Enter', group: 'writing', text: t('Send message, even if Enter starts a new line') },
  { keys: 'Ctrl B', group: 'writing', text: t('Bold') },
  { keys: 'Ctrl I', group: 'writing', text: t('Italic') },
  { keys: 'Ctrl Shift C', group: 'writing', text: t('Code') },
  { keys: 'Ctrl Shift L', group: 'writing', text: t('Link') },
  { keys: 'Shift Enter', group: 'writing', text: t('New line') },
]

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const groups = Map.groupBy([...SHORTCUTS, ...OF_COMPOSER], ({ group }) => group)
  return (
    <Dialog title={t('Keyboard shortcuts')} onClose={onClose} isWide>
      <div class="shortcuts">
        {[...groups].map(([group, shortcuts]) => (
          <section key={group}>
            <h3>{GROUPS[group]}</h3>
            <dl>
              {shortcuts.map(({ keys, text }) => (
                <div key={text}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key === 'Escape' ? t('Esc') : key}</kbd>
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
