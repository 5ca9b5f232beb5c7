/** Actions on one message, by name: the view that carries one out provides it, keyboard and menus run it. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import type { App } from '../../app/app.ts'

export type MessageAction = 'open' | 'reply' | 'quote' | 'edit' | 'react' | 'star' | 'unread' | 'mute'

export type RunAction = (app: App, message: Message) => void

const providers = new Map<MessageAction, RunAction>()

/** Carries out an action from now on; another provider of it is replaced. */
export function provideAction(name: MessageAction, run: RunAction): void {
  providers.set(name, run)
}

/** Whether somebody carries out an action: help and menus leave out the others. */
export function hasAction(name: MessageAction): boolean {
  return providers.has(name)
}

export function runAction(name: MessageAction, app: App, message: Message): void {
  providers.get(name)?.(app, message)
}
