/** The page of a visitor; its code is loaded when somebody visits. */

import { VISITOR_ID } from '../../packages/rules/organization.ts'
import { ParleyClient } from '../../packages/client/src/index.ts'
import { toPublic } from '../store/derived/public-narrow.ts'
import { visitorUpdates } from '../store/visitor-updates.ts'
import { App } from './app.ts'

export function openVisitor(): App {
  const api = new ParleyClient({
    url: location.origin,
    // Without cookies: what is left of an ended session does not matter.
    fetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
  })
  return new App(api, VISITOR_ID, {
    updates: (options) => visitorUpdates(api, options, () => document.hidden),
    asked: toPublic,
  })
}
