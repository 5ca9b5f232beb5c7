/** Navigation views as clients send them, and how a change of one goes wrong. */

import { DoubleViewError, MissingViewError, TooManyViewsError } from '../../../../db/navigation-views.ts'
import type { LogEvent } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import {
  NAVIGATION_VIEWS_MAX,
  VIEW_FRAGMENT_LENGTH_MAX,
  VIEW_NAME_LENGTH_MAX,
} from '../../../domain/limits.ts'
import { isBuiltIn } from '../../../domain/navigation-views.ts'
import { commitOwn } from '../../changes/commit-own.ts'
import { type Fail, fail as failWith } from '../../../errors/api-error.ts'
import type { Services } from '../../services.ts'
import { type Type, text } from '../../params.ts'

/** The part of a client's address that a view is. */
export const fragmentType: Type<string> = {
  ...text({ lengthMax: VIEW_FRAGMENT_LENGTH_MAX, blank: false }),
  takesSlashes: true,
}
/** What a view is called. */
export const viewNameType = text({ lengthMax: VIEW_NAME_LENGTH_MAX, trim: true })

/** Views that every client has are named by it, and others by their user. */
export function checkViewName(
  fragment: string,
  name: string | undefined,
  fail: Fail<'VIEW_NAME_FIXED' | 'VIEW_NAME_MISSING'>,
): void {
  if (isBuiltIn(fragment) && name !== undefined) throw fail('VIEW_NAME_FIXED')
  if (!isBuiltIn(fragment) && !name) throw fail('VIEW_NAME_MISSING')
}

/** Commits a change of the user's views; what is missing, double or too much turns out as it is stored. */
export async function submitView(
  event: Extract<LogEvent, { type: `navigation_view/${string}` }> & { readonly userId: UserId },
  services: Services,
): Promise<void> {
  try {
    await commitOwn(services, event)
  } catch (error) {
    if (error instanceof MissingViewError) throw failWith('VIEW_UNKNOWN')
    if (error instanceof DoubleViewError) throw failWith('VIEW_EXISTS')
    if (error instanceof TooManyViewsError)
      throw failWith('TOO_MANY_VIEWS', { countMax: NAVIGATION_VIEWS_MAX })
    throw error
  }
}
