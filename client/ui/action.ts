/** Actions on a message, a topic, a channel or a person: menus, tools, keys and the help derive from them. */

import type { App } from '../app/app.ts'
import type { Route } from '../store/narrows/route.ts'
import type { IconName } from './icon.tsx'
import type { MenuItem } from './open-menu.tsx'
import { showError } from './toasts.tsx'

interface ActionBase<Subject> {
  /** As in the address of its file. */
  readonly name: string
  readonly label: string | ((app: App, subject: Subject) => string)
  readonly icon?: IconName
  /** Its shortcut, and the words of the help on it. */
  readonly key?: readonly [keys: string, help: string]
  readonly isDanger?: boolean
  /** For actions that switch something on and off, and whose label stays. */
  readonly isOn?: (app: App, subject: Subject) => boolean
  /** Whether the user may do it now. */
  readonly may: (app: App, subject: Subject) => boolean
}

/** An action that leads to a view. */
interface ActionWithView<Subject> extends ActionBase<Subject> {
  readonly to: (app: App, subject: Subject) => Route
}

/** An action that does something; if it fails, the person sees why. */
export interface ActionWithEffect<Subject> extends ActionBase<Subject> {
  readonly run: (app: App, subject: Subject) => unknown
}

export type Action<Subject> = ActionWithView<Subject> | ActionWithEffect<Subject>

export const always = () => true

export function labelOf<Subject>({ label }: Action<Subject>, app: App, subject: Subject): string {
  return typeof label === 'string' ? label : label(app, subject)
}

/** Carries an action out, unless the user may not. */
export function runAction<Subject>(action: Action<Subject>, app: App, subject: Subject): void {
  if (!action.may(app, subject)) return
  if ('to' in action) return app.router.go(action.to(app, subject))
  void (async () => action.run(app, subject))().catch(showError)
}

/** The entries of a menu: of all actions, those that the user may do. */
export function menuItems<Subject>(
  actions: readonly Action<Subject>[],
  app: App,
  subject: Subject,
): readonly MenuItem[] {
  return actions
    .filter(({ may }) => may(app, subject))
    .map((action) => ({
      text: labelOf(action, app, subject),
      ...(action.key && { keys: action.key[0] }),
      ...(action.isDanger && { isDanger: true }),
      ...(action.isOn && { isChecked: action.isOn(app, subject) }),
      onChoose: () => runAction(action, app, subject),
    }))
}
